import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { PurgeCSS } from 'purgecss'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { build, type Manifest, minify, runnerImport } from 'vite'
import { buildScript } from '../src/identity/pages/script.server.ts'
import { filesOf, INLINE, readInline } from './manifest.ts'
import { required } from '../src/kit/values/required.ts'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')
const at = (...path: string[]) => join(DIST, ...path)

await build({ root: ROOT, logLevel: 'warn' })
const manifest = JSON.parse(readFileSync(at('.manifest.json'), 'utf8')) as Manifest
const index = await buildIndex()
const files = await buildViews(manifest)
const landing = await buildLanding(manifest)
mkdirSync(DIST, { recursive: true })
const buildId = createHash('sha256').update(index).update(JSON.stringify(manifest)).digest('base64url').slice(0, 12)
await buildWorker(buildId)
writeFileSync(at('index.html'), index.replace('%BUILD%', buildId))
// The server renders with this bundle only if its build id matches the page's.
appendFileSync(at('.draw.mjs'), `export const BUILD = '${buildId}', PAGE_FILES = ${JSON.stringify(files)}\n`)
writeFileSync(at('landing.html'), landing)
writeFileSync(at('.signIn.js'), buildScript())
writeFileSync(at('csp.json'), JSON.stringify({ scriptHashes: [...new Set([index, landing].flatMap(hashScripts))] }))

async function buildIndex(): Promise<string> {
  const html = readFileSync(at('index.html'), 'utf8')
  const small = await Promise.all(readInline(html).map(shrink))
  return html.replace(INLINE, () => `<script>${small.shift()}</script>`).replace(/\n\s+/g, '\n')
}

async function buildViews(manifest: Manifest) {
  await build({ root: ROOT, logLevel: 'warn', build: { ssr: 'src/app/firstView/draw.tsx' } })
  const entry = filesOf(manifest, 'index.html')
  const pages = Object.keys(manifest).filter((key) => key.endsWith('Page.tsx'))
  const views = pages.map((key) => [
    basename(key, '.tsx'),
    {
      scripts: filesOf(manifest, key).filter((file) => !entry.includes(file)),
      styles: [...new Set([...stylesOf(manifest, 'index.html'), ...stylesOf(manifest, key)])].map((file) => `/${file}`),
    },
  ])
  return Object.fromEntries(views)
}

async function buildWorker(buildId: string) {
  const isPart = (key: string) => /^(index\.html$|src\/)/.test(key) && !/Uploader|AddProduct|RevealSheet/.test(key)
  const parts = Object.keys(manifest).filter(isPart)
  const scripts = new Set(parts.flatMap((key) => filesOf(manifest, key)))
  // a script that several parts share may have styles too, and no part loads without its styles
  const loaded = Object.values(manifest).filter(({ file }) => scripts.has(`/${file}`))
  const looks = loaded.flatMap(({ css = [], assets = [] }) => [...css, ...assets])
  const files = [...new Set([...scripts, ...looks.map((file) => `/${file}`), '/favicon.svg'])]
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    define: { BUILD: JSON.stringify(buildId), FILES: JSON.stringify(files) },
    build: {
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: join(ROOT, 'src/app/offline/shop.worker.ts'),
        output: { format: 'iife', entryFileNames: 'sw.js' },
      },
    },
  })
}

function stylesOf(manifest: Manifest, key: string): string[] {
  const { css = [], imports = [] } = required(manifest[key], 'an entry of manifest')
  return [...imports.flatMap((name) => stylesOf(manifest, name)), ...css]
}

async function buildLanding(manifest: Manifest): Promise<string> {
  type Module = { Landing: () => React.ReactNode }
  const { module } = await runnerImport<Module>(join(ROOT, 'src/app/landing/Landing.tsx'), {
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
  })
  const body = renderToStaticMarkup(createElement(module.Landing))
  const styles = [...stylesOf(manifest, 'index.html'), ...stylesOf(manifest, 'src/support/chat/ChatPanel.tsx')]
  const css = [...new Set(styles)].map((file) => readFileSync(at(file), 'utf8')).join('')
  const [firstPaint, mode, landing] = await Promise.all(
    ['app/inline/firstPaint', 'identity/pages/mode', 'app/inline/landing'].map((name) =>
      shrink(readFileSync(join(ROOT, `src/${name}.js`), 'utf8')),
    ),
  )
  const page = [
    '<!doctype html><html lang="en" data-theme="royal-blue" data-mode="light"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    '%HEAD%<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    `<link rel="apple-touch-icon" href="/icons/apple.png"><script>${firstPaint}${mode}</script>`,
    `<style></style></head><body>${body}<script>${landing}</script></body></html>`,
  ].join('')
  const [used] = await new PurgeCSS().purge({
    // Without texts, because their words are not class names.
    content: [
      {
        raw: `${page.replaceAll(/>[^<>]+</g, '><')} ${markupOf('src/app/landing/landing.pages.server.ts')}`,
        extension: 'html',
      },
    ],
    css: [{ raw: css }],
    keyframes: true,
    // Scripts set these attributes.
    dynamicAttributes: ['data-theme', 'data-mode', 'data-zoom', 'data-note', 'data-aside', 'aria-expanded', 'disabled'],
    // This word is in an attribute, not in a class.
    blocklist: [/^dialog/],
    // The server renders covers and pictures.
    safelist: [':focus-visible', 'picture', 'img', /^cover/, /^[fs][0-3]$/, 'dim', 'mid', 'end', 'big'],
  })
  return page.replace('<style>', () => `<style>${required(used, 'the used styles').css}`)
}

/** Returns the elements and classes that a file writes. */
function markupOf(file: string): string {
  const markup = readFileSync(join(ROOT, file), 'utf8').matchAll(/<[a-z]\w*|class="[^"]+"/g)
  return [...markup].map(([text]) => text).join(' ')
}

async function shrink(code: string): Promise<string> {
  const { code: small } = await minify('inline.js', code, { module: false })
  return small.trim()
}

function hashScripts(html: string): string[] {
  return readInline(html).map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
}

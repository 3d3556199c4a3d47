import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'

const inline = (name: string) => readFileSync(new URL(`src/app/inline/${name}.js`, import.meta.url), 'utf8')

/** Puts the scripts of src/app/inline where index.html names them; scripts/build.ts minifies and hashes them. */
const inlineScripts: Plugin = {
  name: 'inline-scripts',
  transformIndexHtml: {
    order: 'pre',
    handler: (html, { server }) =>
      (server ? html.replaceAll('%STORE_NAME%', 'Primo') : html)
        .replace('<!-- firstPaint -->', `<script>${inline('firstPaint')}</script>`)
        .replace(
          '<!-- earlyReads -->',
          `<script>${server ? inline('earlyReads').replace('PAGE_SCRIPTS', '{}') : inline('earlyReads')}</script>`,
        ),
  },
}

/**
 * In the browser a call needs its line alone: the schemas that no page uses go, and with them the schema library (9 KB).
 * The server checks what is sent; a form that checks it first imports its schema by itself.
 */
const lightContracts: Plugin = {
  name: 'light-contracts',
  apply: 'build',
  transform: {
    filter: { id: /\.contract\.ts$/ },
    handler(code) {
      let light = code
      for (const statement of this.parse(code).body.toReversed()) {
        if (statement.type === 'ImportDeclaration') {
          const rest = light.slice(statement.end)
          const isUsed = statement.specifiers.some(({ local }) => new RegExp(`\\b${local.name}\\b`).test(rest))
          if (!isUsed) light = light.slice(0, statement.start) + rest
          continue
        }
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        const value = declaration?.type === 'VariableDeclaration' ? declaration.declarations[0]?.init : undefined
        if (value?.type !== 'CallExpression') continue
        const [, contract] =
          value.callee.type === 'Identifier' && value.callee.name === 'endpoint' ? value.arguments : []
        const { start, end } = contract ?? value
        const text = contract ? '{}' : `/* @__PURE__ */ (() => ${code.slice(start, end)})()`
        light = light.slice(0, start) + text + light.slice(end)
      }
      return { code: light, map: null }
    },
  },
}

const isShared = (id: string) =>
  /rolldown\/runtime|node_modules\/(react|scheduler|@tanstack|wouter|regexparam|lucide-react)\//.test(id) ||
  /src\/(kit|ui|app|identity|localisation|catalogue|cart|orders)\/(?!Dialog|Toasts|AddProduct|newProduct)/.test(id)

/** Icons and hooks that home does not use: each is a module, but one file names them all, so the graph does not tell. */
const isLate = (id: string) =>
  /lucide-react\/.*\/icons\/(check-check|clock|copy|key-round|shield|user|mail|webhook|wallet|smartphone|heart)/.test(
    id,
  ) || /@tanstack\/.*([iI]nfiniteQuery(Observer)?\.|[mM]utationObserver|useMutation\.)/.test(id)

type Ask = (id: string) => { importers: readonly string[] } | null

/** Whether home's first load needs a module anyway; whatever else pages and dialogs share, home must not wait for. */
function isAtHome(id: string, ask: Ask, seen = new Set<string>()): boolean {
  if (/src\/app\/(main|HomePage)\.tsx$/.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  return ask(id)?.importers.some((importer) => isAtHome(importer, ask, seen)) ?? false
}

const SHOP = 'http://localhost:3000'
const served = ['/api', '/order', '/setup', '/images', '/objects', '/downloads', '/sandbox', '/dev', '/readyz']

export default defineConfig({
  plugins: [react(), tailwindcss(), inlineScripts, lightContracts],
  build: {
    target: ['chrome111', 'safari16.4', 'firefox114'],
    manifest: '.manifest.json',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // what home shares with other pages comes as one script beside the entry, not as thirty small ones
        codeSplitting: {
          groups: [
            {
              debugName: 'shop',
              name: (id, graph) => (isAtHome(id, (one) => graph.getModuleInfo(one)) ? 'shop' : null),
              minShareCount: 2,
              test: (id) => isShared(id) && !isLate(id),
            },
          ],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [`^${path}(/|$|\\?)`, SHOP])) },
})

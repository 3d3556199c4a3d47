import react from '@vitejs/plugin-react'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { targets } from './scripts/browsers.ts'
import { browserContracts } from './scripts/browserContracts.ts'
import { FIRST, isIn, SHARED } from './scripts/chunks.ts'
import { firstLoad } from './scripts/firstLoad.ts'
import { namedIcons } from './scripts/namedIcons.ts'
import { pdfFiles } from './scripts/pdfFiles.ts'

const inline = (name: string) => readFileSync(new URL(`src/app/inline/${name}.js`, import.meta.url), 'utf8')

/** Puts the scripts of src/app/inline where index.html names them; scripts/build.ts minifies and hashes them. */
const inlineScripts: Plugin = {
  name: 'inline-scripts',
  transformIndexHtml: {
    order: 'pre',
    handler: (html, { server }) =>
      (server
        ? html
            .replaceAll('%STORE_NAME%', 'Primo')
            .replace('%MAX_FILE_MB%', '100')
            .replace('%METHODS%', 'paypal')
            .replace('%CHAT_NAME%', 'AI Assistant')
            .replace('%RELEASE%', 'dev')
        : html
      )
        .replace('<!-- firstPaint -->', `<script>${inline('firstPaint')}</script>`)
        .replace('<!-- caught -->', `<script>${inline('caught')}</script>`),
  },
}

const first = firstLoad()
const SHOP = 'http://localhost:3000'
const served = [
  '/api',
  '/order',
  '/setup',
  '/images',
  '/objects',
  '/downloads',
  '/sandbox',
  '/dev',
  '/readyz',
  '/assets/pdf',
]

const STAND_INS = fileURLToPath(new URL('scripts/browserStandIns.ts', import.meta.url))

/** Loads the server's bundle never needs: dialogs and parts that a press opens. */
const onlyPages: Plugin = {
  name: 'only-pages',
  resolveId: {
    order: 'pre',
    handler: (source, _importer, { kind }) =>
      (kind as string) === 'dynamic-import' && !/(Page|PrintedCover)\.tsx$/.test(source)
        ? { id: source, external: true }
        : null,
  },
}

// The pages that the server draws name the files of the browser, so both builds need the same names.
const ASSET_NAMES = 'assets/[name]-[hash:7][extname]'

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), inlineScripts, browserContracts, namedIcons(), ...(isSsrBuild ? [onlyPages] : [first, pdfFiles])],
  ...(isSsrBuild && {
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"', 'history.state': 'null' },
  }),
  // React has had it since 18
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }] },
  build: isSsrBuild
    ? {
        emptyOutDir: false,
        assetsInlineLimit: 0,
        copyPublicDir: false,
        reportCompressedSize: false,
        minify: false,
        rolldownOptions: {
          output: { entryFileNames: '.draw.mjs', assetFileNames: ASSET_NAMES, codeSplitting: false },
          transform: {
            inject: {
              location: [STAND_INS, 'location'],
              sessionStorage: [STAND_INS, 'sessionStorage'],
              addEventListener: [STAND_INS, 'addEventListener'],
            },
          },
        },
      }
    : {
        target: targets,
        manifest: '.manifest.json',
        // for the server alone, which leads reported errors back to the source with them; no map is ever served
        sourcemap: 'hidden',
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        reportCompressedSize: false,
        rolldownOptions: {
          output: {
            // the first load lists nearly every file, so a character of these hashes costs 150 bytes
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
            assetFileNames: ASSET_NAMES,
            codeSplitting: {
              groups: [
                // what Home and other pages share comes as one script with React, not as thirty small ones
                { name: FIRST.name, priority: 1, test: (id) => first.has(id) || isIn(FIRST, id) },
                ...SHARED.map((chunk) => ({
                  name: chunk.name,
                  minShareCount: chunk.minShareCount,
                  includeDependenciesRecursively: false,
                  test: (id: string) => isIn(chunk, id),
                })),
              ],
            },
          },
        },
      },
  server: { proxy: Object.fromEntries(served.map((path) => [`^${path}(/|$|\\?)`, SHOP])) },
}))

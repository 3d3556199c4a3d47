import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Manifest } from 'vite'
import { filesOf, readInline } from './manifest.ts'
import { required } from '../src/kit/values/required.ts'

// Compares what a visitor downloads (brotli) with the budgets of the design. Exits with 1 if one is exceeded.

const DIST = join(import.meta.dirname, '..', 'dist')
const KB = 1024

type Row = { what: string; bytes: number; budget: number }

if (!existsSync(join(DIST, '.manifest.json'))) {
  process.stderr.write('The pages are not built yet. Run npm run build.\n')
  process.exit(1)
}
const read = (file: string) => readFileSync(join(DIST, file), 'utf8')
const manifest = JSON.parse(read('.manifest.json')) as Manifest
const weigh = (...texts: string[]) => texts.reduce((sum, text) => sum + brotliCompressSync(text).length, 0)

const scriptsOf = (key: string) => new Set(filesOf(manifest, key))
const inlineOf = (html: string) => readInline(html).join('\n')

const landing = read('landing.html')
const entry = scriptsOf('index.html')
const home = new Set([...entry, ...scriptsOf('src/app/pages/HomePage.tsx')])

// its camera, its editor and its clouds come when they are used
const uploader = scriptsOf('src/uploads/Uploader.tsx')

const isPage = (key: string) => key.endsWith('Page.tsx')

/** The scripts of the page that a dialog imports from, and so stands on: they are loaded already. */
const pageUnder = (files: Set<string>) =>
  new Set(
    Object.entries(manifest)
      .filter(([, { file }]) => files.has(`/${file}`) && /\/(icons|pages|\w+Page)-/.test(file))
      .flatMap(([key]) => [...scriptsOf(key)]),
  )

/** The library of forms, in KB. */
const FORMS = 14

/** What a lazy part may add to a page that is there, with what all pages but Home share: a page, a dialog with the library's focus and scroll, the form of a product. */
function budgetOf(key: string, files: Set<string>): number {
  if (isPage(key)) return 12 * KB
  if (/AddProduct/.test(key)) return 45 * KB
  // the library that draws PDFs comes when one opens; its worker has a limit below
  if (/\/pdf\//.test(key)) return 135 * KB
  // the uploader is a library of its own that comes when its dialog opens; its size is shown, not judged
  if (/Uploader/.test(key)) return Infinity
  const hasForm = [...files].some((file) => file.includes('/forms-'))
  return (hasForm ? 20 + FORMS : 20) * KB
}

const lazyParts = Object.entries(manifest)
  .filter(([key, { isDynamicEntry }]) => isDynamicEntry && key.startsWith('src/'))
  .map(([key]): Row => {
    const files = scriptsOf(key)
    const page = isPage(key) ? new Set<string>() : pageUnder(files)
    const isHere = (file: string) =>
      entry.has(file) || page.has(file) || (/uploads\/(camera|editor|remote)/.test(key) && uploader.has(file))
    const added = [...files].filter((file) => !isHere(file))
    return { what: key.replace(/^src\/|\.tsx?$/g, ''), bytes: weigh(...added.map(read)), budget: budgetOf(key, files) }
  })
  .toSorted((a, b) => b.bytes - a.bytes)

const findWorker = () =>
  join(
    'assets',
    required(
      readdirSync(join(DIST, 'assets')).find((name) => /^pdf\.worker.*\.js$/.test(name)),
      'the worker that reads PDFs',
    ),
  )

const { css: styles = [] } = required(manifest['index.html'], 'index.html')

const rows: Row[] = [
  { what: 'Landing, in all', bytes: weigh(landing), budget: 10 * KB },
  { what: 'Landing, script in it', bytes: weigh(inlineOf(landing)), budget: 2 * KB },
  {
    what: 'Home, scripts of the first load',
    bytes: weigh(inlineOf(read('index.html')), ...[...home].map(read)),
    budget: 92 * KB,
  },
  {
    // the server writes the style sheet into each page that it draws
    what: 'Page of a member, without its content',
    bytes: weigh(read('index.html') + styles.map(read).join('')),
    budget: 14 * KB,
  },
  { what: 'Style sheet', bytes: weigh(...styles.map(read)), budget: 12 * KB },
  {
    what: 'Worker that reads PDFs',
    bytes: weigh(read(findWorker())),
    budget: 350 * KB,
  },
  ...lazyParts,
]

const kilobytes = (bytes: number) => (bytes === Infinity ? 'none' : (bytes / KB).toFixed(1)).padStart(7)
const width = Math.max(...rows.map(({ what }) => what.length))
for (const { what, bytes, budget } of rows)
  console.log(`${what.padEnd(width)} ${kilobytes(bytes)} KB of ${kilobytes(budget)}${bytes > budget ? '   OVER' : ''}`)
if (rows.some(({ bytes, budget }) => bytes > budget)) process.exit(1)

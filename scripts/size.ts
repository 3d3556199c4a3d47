import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Manifest } from 'vite'
import { filesOf, readInline } from './manifest.ts'
import { required } from '../src/kit/values/required.ts'

// Compares the download sizes of a visitor (brotli) with their budgets. Exits with 1 if a budget is exceeded.

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

// The uploader's camera, editor and cloud imports load at first use.
const uploader = scriptsOf('src/uploads/Uploader.tsx')

const isPage = (key: string) => key.endsWith('Page.tsx')

/** The scripts of the page that opens a dialog. They are already loaded. */
const pageUnder = (files: Set<string>) =>
  new Set(
    Object.entries(manifest)
      .filter(([, { file }]) => files.has(`/${file}`) && /\/(icons|pages|\w+Page)-/.test(file))
      .flatMap(([key]) => [...scriptsOf(key)]),
  )

/** The library for forms, in KB. */
const FORMS = 14

/** The bytes that a lazy part may add: a page, or a dialog with the library's focus and scroll code. */
function budgetOf(key: string, files: Set<string>): number {
  // An order page has goods of every kind, their payment and their receipt.
  if (/\/OrderPage\.tsx$/.test(key)) return 16 * KB
  if (isPage(key)) return 12 * KB
  if (/AddProduct/.test(key)) return 45 * KB
  // The PDF library loads when a document opens. Its worker has a separate budget.
  if (/\/pdf\//.test(key)) return 135 * KB
  // The uploader is a library that loads when its dialog opens. Its size is printed without a limit.
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
    // The server inlines the style sheet into each page that it renders.
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

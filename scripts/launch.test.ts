import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// Runs the launchers in a small copy of the repository with a fake npm and shop.

const ROOT = join(import.meta.dirname, '..')
const LOCK = { packages: { '': {}, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } } }
const children: ChildProcess[] = []
let tree = ''

const write = async (path: string, text: string) => {
  await mkdir(dirname(join(tree, path)), { recursive: true })
  await writeFile(join(tree, path), text)
}

beforeEach(async () => {
  tree = await mkdtemp(join(tmpdir(), 'primo-launch-'))
  await cp(join(ROOT, 'scripts'), join(tree, 'scripts'), { recursive: true, filter: (path) => !path.endsWith('.ts') })
  await write('package-lock.json', JSON.stringify(LOCK))
  await write(
    'npm.js',
    `const fs = require('node:fs')
    fs.appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n')
    if (fs.existsSync('npm.fails')) {
      console.error('first\\n' + 'more\\n'.repeat(30) + 'npm error the registry is away')
      process.exit(1)
    }
    fs.mkdirSync('node_modules', { recursive: true })
    fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json')
    console.log('added 1 package in 1s')`,
  )
  await write(
    'src/app/main.server.ts',
    `const name: string = 'shop'
    console.log(name, process.argv.slice(2).join(), process.env.FROM_FILE ?? '')
    if (process.argv[2] === 'stay') {
      process.on('SIGTERM', () => { console.log('told to stop'); process.exit(7) })
      setInterval(() => {}, 1000)
      console.log('pid ' + process.pid)
    } else process.exit(3)`,
  )
})

test('an image without a lockfile runs commands with its installed packages', async () => {
  await rm(join(tree, 'package-lock.json'))
  const seen = launch(['scripts/run.mjs', 'src/app/main.server.ts', 'doctor'], { NODE_ENV: 'production' })
  await vi.waitFor(() => expect(seen.output).toContain('shop doctor'), { timeout: 30_000 })
  expect(seen.errors).not.toContain('package-lock.json')
  const other = launch(['scripts/run.mjs', 'src/app/main.server.ts', 'doctor'], { NODE_ENV: 'development' })
  await vi.waitFor(() => expect(other.errors).toContain('package-lock.json is missing'), { timeout: 30_000 })
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(tree, { recursive: true, force: true })
})

function launch(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, {
    cwd: tree,
    env: { ...process.env, npm_execpath: join(tree, 'npm.js'), npm_lifecycle_event: '', ...env },
  })
  children.push(child)
  const seen = { child, output: '', errors: '' }
  child.stdout.on('data', (chunk) => (seen.output += chunk))
  child.stderr.on('data', (chunk) => (seen.errors += chunk))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return Object.assign(seen, { ended })
}

const readLog = () => readFile(join(tree, 'npm.log'), 'utf8').catch(() => '')

test('installs a fresh clone once and passes arguments, .env and exit code', async () => {
  await write('.env', 'FROM_FILE=yes')
  const first = launch(['scripts/start.mjs', 'a', 'b'])
  expect(await first.ended).toBe(3)
  expect(first.output).toBe('shop a,b yes\n')
  expect(first.errors).toMatch(/^Installing the packages .*\n$/)
  const second = launch(['scripts/start.mjs'])
  expect(await second.ended).toBe(3)
  expect(second.errors).toBe('')
  expect(await readLog()).toBe('ci --include=dev --no-progress --loglevel=error\n')
})

test('installs packages that differ from the lockfile, except missing optional ones', async () => {
  await launch(['scripts/start.mjs']).ended
  const optional = { 'node_modules/b': { version: '1.0.0', integrity: 'sha512-b', optional: true } }
  await write('package-lock.json', JSON.stringify({ packages: { ...LOCK.packages, ...optional } }))
  await launch(['scripts/start.mjs']).ended
  expect((await readLog()).split('\n')).toHaveLength(2)
  const newer = { 'node_modules/a': { version: '1.0.1', integrity: 'sha512-c' } }
  await write('package-lock.json', JSON.stringify({ packages: newer }))
  await launch(['scripts/start.mjs']).ended
  expect((await readLog()).split('\n')).toHaveLength(3)
})

test("shows npm's last lines and starts no shop after a failed installation", async () => {
  await write('npm.fails', '')
  const shop = launch(['scripts/start.mjs'])
  expect(await shop.ended).toBe(1)
  expect(shop.output).toBe('')
  expect(shop.errors).toContain('npm error the registry is away\nThe packages could not be installed')
  expect(shop.errors).not.toContain('first')
  const suite = launch(['scripts/test.mjs'])
  expect(await suite.ended).toBe(1)
  expect(suite.output.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed')
})

test('builds the pages only if their inputs changed', async () => {
  await write('scripts/build.ts', `import fs from 'node:fs'; fs.appendFileSync('built.log', 'x')`)
  const built = async () => (await readFile(join(tree, 'built.log'), 'utf8').catch(() => '')).length
  for (const [change, times] of [
    [undefined, 1],
    [undefined, 1],
    ['index.html', 2],
    ['src/ui/Button.tsx', 3],
    ['src/ui/button.test.ts', 3],
    ['src/cart/cart.server.ts', 3],
    ['scripts/chunks.ts', 4],
  ] as const) {
    if (change) await write(change, '1')
    expect(await launch(['scripts/start.mjs']).ended).toBe(3)
    expect(await built()).toBe(times)
  }
  await write('scripts/build.ts', `console.error('index.html: no such tag'); process.exit(1)`)
  const broken = launch(['scripts/start.mjs'])
  expect(await broken.ended).toBe(1)
  expect(broken.errors).toContain('no such tag\nThe pages could not be built')
  expect(broken.output).toBe('')
})

test('forwards a signal and returns the exit code of the shop', async () => {
  const shop = launch(['scripts/start.mjs', 'stay'])
  await vi.waitFor(() => expect(shop.output).toContain('pid'), 30_000)
  shop.child.kill('SIGTERM')
  expect(await shop.ended).toBe(7)
  expect(shop.output).toContain('told to stop')
})

test('stops the shop if the launcher is killed', async () => {
  const shop = launch(['scripts/start.mjs', 'stay'])
  await vi.waitFor(() => expect(shop.output).toContain('pid'), 30_000)
  shop.child.kill('SIGKILL')
  await shop.ended
  expect(shop.output).toContain('told to stop')
})

test('reports the required Node version if the machine has no Node 24', async () => {
  await launch(['scripts/start.mjs']).ended
  await write('old.mjs', `Object.defineProperty(process.versions, 'node', { value: '22.20.0' })`)
  const shop = launch(['--import', './old.mjs', 'scripts/start.mjs'])
  expect(await shop.ended).toBe(1)
  expect(shop.errors).toBe('Primo needs Node 24.7 or newer; this is 22.20.0. Install it from https://nodejs.org.\n')
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  await mkdir(join(tree, 'node_modules', name, 'bin'), { recursive: true })
  await symlink(process.execPath, join(tree, 'node_modules', name, 'bin/node'))
  expect(await launch(['--import', './old.mjs', 'scripts/start.mjs']).ended).toBe(3)
})

import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Runs the commands of drills and benches from the documents, in their smallest profile.

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const DOCUMENTS = [
  'README.md',
  'docs/measured.md',
  ...readdirSync(join(ROOT, 'docs/operating')).map((name) => `docs/operating/${name}`),
]
const MINUTES = 15 * 60_000

/** Drills that have a separate test in this folder. */
const TESTED: Record<string, string> = {
  faults: 'drill/faults.test.ts',
  steps: 'drill/kill.test.ts',
  kills: 'drill/kill.test.ts',
  payouts: 'drill/payouts.test.ts',
  codes: 'drill/lastCode.test.ts',
  database: 'drill/database.test.ts',
  cluster: 'drill/cluster.test.ts',
  seeded: 'drill/seeded.test.ts',
}
const DRILLS = ['guide', 'uploads', 'money']
// The soak checks the ledger, so it runs before the download bench, which adds an order without a payment.
const BENCHES = ['bench/soak.ts', 'bench/chat.ts', 'bench/upload.ts', 'bench/download.ts', 'bench/run.ts']

async function run(file: string, args: string[]) {
  const child = spawn(process.execPath, ['scripts/run.mjs', '--build', file, '--smallest', ...args], {
    ...{ cwd: ROOT, env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR } },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, output: `${out}\n${err}` }
}

let store = ''
beforeAll(() => {
  store = mkdtempSync(join(tmpdir(), 'primo-commands-'))
  // If the test runs as root, the user postgres needs access.
  chmodSync(store, 0o755)
})
afterAll(() => rmSync(store, { recursive: true, force: true }))

test('every drill and bench in the documents has a test', () => {
  const documents = DOCUMENTS.map(read).join('\n')
  const drills = [...documents.matchAll(/npm run drill -- (\w+)/g)].map(([, name]) => name!)
  const benches = [...documents.matchAll(/node scripts\/run\.mjs ([^`]*?)((?:bench|drill)\/\w+\.ts)/g)]
  expect(drills.length).toBeGreaterThan(4)
  expect(benches.length).toBeGreaterThan(4)
  expect(drills.filter((name) => !DRILLS.includes(name) && !TESTED[name])).toEqual([])
  expect(benches.filter(([, , file]) => !BENCHES.includes(file!)).map(([line]) => line)).toEqual([])
  // without built pages the shop returns 503
  expect(benches.filter(([, flags]) => !flags!.includes('--build')).map(([line]) => line)).toEqual([])
  expect(Object.values(TESTED).filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

test('rejects an unknown drill and lists all drills, each with a test', { timeout: MINUTES }, async () => {
  const { code, output } = await run('drill/run.ts', ['sleep'])
  const [, names = ''] = /No drill is called sleep\. There are: (.*)\.$/m.exec(output) ?? []
  expect({ code, names: names.split(', ').sort() }).toEqual({
    code: 1,
    names: [...DRILLS, ...Object.keys(TESTED)].sort(),
  })
})

test('drills that have no separate test pass', { timeout: MINUTES }, async () => {
  const { code, output } = await run('drill/run.ts', DRILLS)
  expect(code, output).toBe(0)
  for (const drill of ['an upload with kills', 'the guide', 'money: paypal', 'money: stripe', 'money: usdc'])
    expect(output).toContain(`ok       ${drill}`)
})

test('all benches pass one after another on the same store', { timeout: 2 * MINUTES }, async () => {
  for (const file of BENCHES) {
    const { code, output } = await run(file, [...(file === 'bench/soak.ts' ? ['1'] : []), store])
    expect(code, `${file}: ${output}`).toBe(0)
  }
})

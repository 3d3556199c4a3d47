import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmod, chown, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Embedded, findRunningEmbedded, startEmbedded } from './embedded.server.ts'

type Shop = { ownerUrl: string; superuserUrl: string; pgDir: string; failure?: string; process: ChildProcess }

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const isRoot = process.getuid?.() === 0
const children: ChildProcess[] = []
const running: Embedded[] = []
let dataDir = ''

async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'primo-embedded-'))
  await chmod(folder, 0o755)
  return join(folder, 'data')
}

beforeEach(async () => {
  dataDir = await makeFolder()
})

// The folder of a stopped database. Tests copy it, because initdb takes longer than most tests.
let template = ''
beforeAll(async () => {
  template = await makeFolder()
  await (await startEmbedded({ dataDir: template, say: () => {}, settings: { fsync: 'off' } })).stop()
})
afterAll(() => rm(join(template, '..'), { recursive: true, force: true }))

/** Copies the stopped database into the data folder, with the owners of its files. */
const haveDatabase = () => execFileSync('cp', ['-a', template, dataDir])

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const shop of running.splice(0)) await shop.stop().catch(() => {})
  await killServer().catch(() => {})
  await rm(join(dataDir, '..'), { recursive: true, force: true })
})

/** Starts the database in this process. */
async function start(options: Partial<Parameters<typeof startEmbedded>[0]> = {}) {
  const shop = await startEmbedded({ dataDir, say: () => {}, settings: { fsync: 'off' }, ...options })
  running.push(shop)
  return shop
}

/** Starts the database in a child process that a test can kill. */
async function startShop(account: { uid?: number; gid?: number } = {}): Promise<Shop> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../test/embedded.child.ts'), dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...account,
  })
  children.push(child)
  for await (const line of createInterface(child.stdout)) return { ...JSON.parse(line), process: child }
  throw new Error('the child said nothing')
}

const pidFile = () => join(dataDir, 'postgres/data/postmaster.pid')
const readPid = async () => Number((await readFile(pidFile(), 'utf8')).split('\n')[0])

async function killServer() {
  process.kill(await readPid(), 'SIGKILL')
}

async function stopShop(shop: Shop) {
  const ended = new Promise((resolve) => shop.process.once('exit', resolve))
  shop.process.stdin!.end()
  expect(await ended).toBe(0)
}

async function ask<T>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(text).finally(() => client.end())
  return rows as T[]
}

async function refusal(options: Partial<Parameters<typeof startEmbedded>[0]> = {}): Promise<string> {
  const message = await start(options).then(
    () => 'it started',
    (error: Error) => `${error.name}: ${error.message}`,
  )
  expect(message).not.toContain('\n')
  return message
}

test('creates a password-protected database on the first start and reopens it on the next', async () => {
  const first = await start({ settings: {} })
  await ask(first.ownerUrl, "CREATE TABLE kept AS SELECT 'Café' AS word")
  expect(await ask(first.ownerUrl, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user')).toEqual([
    { rolsuper: false },
  ])
  expect(await ask(first.ownerUrl, "SELECT lower('ÉÄ') AS word, current_setting('fsync') AS fsync")).toEqual([
    { word: 'éä', fsync: 'on' },
  ])
  const stranger = new URL(first.ownerUrl)
  stranger.password = 'guess'
  await expect(ask(stranger.href, 'SELECT 1')).rejects.toThrow('password authentication failed')
  await first.stop()
  await expect(stat(pidFile())).rejects.toThrow('ENOENT')
  const next = await start()
  expect(await ask(next.ownerUrl, 'SELECT word FROM kept')).toEqual([{ word: 'Café' }])
  expect((await stat(join(dataDir, 'postgres'))).mode & 0o077).toBe(0)
})

test("adds the role primo_app to a database that has only the owner's role", async () => {
  haveDatabase()
  const former = await start()
  await ask(former.superuserUrl, 'DROP ROLE primo_app')
  await former.stop()
  const shop = await start()
  const who = 'SELECT current_user::text AS role, rolsuper FROM pg_roles WHERE rolname = current_user'
  expect(await ask(shop.url, who)).toEqual([{ role: 'primo_app', rolsuper: false }])
  expect(await ask(shop.ownerUrl, who)).toEqual([{ role: 'primo', rolsuper: false }])
})

test('refuses a second start on the same data folder without disturbing the first', async () => {
  haveDatabase()
  const first = await startShop()
  expect(await refusal()).toBe(
    `Failure: Primo is already running on this data folder (${dataDir}). Stop it first, or give another DATA_DIR.`,
  )
  await ask(first.ownerUrl, 'CREATE TABLE undisturbed ()')
  await stopShop(first)
})

test('finds a running database by its folder, but not a stopped one', async () => {
  haveDatabase()
  expect(await findRunningEmbedded(dataDir)).toBeNull()
  const shop = await startShop()
  expect(await findRunningEmbedded(dataDir)).toMatchObject({ ownerUrl: shop.ownerUrl })
  shop.process.kill('SIGKILL')
  expect(await findRunningEmbedded(dataDir)).toMatchObject({ ownerUrl: shop.ownerUrl })
  await killServer()
  await vi.waitFor(async () => expect(await findRunningEmbedded(dataDir)).toBeNull(), 20_000)
})

test('serves one of two simultaneous first starts and refuses the other', async () => {
  const shops = await Promise.all([startShop(), startShop()])
  const refused = shops.filter((shop) => shop.failure)
  expect(refused.map((shop) => shop.failure)).toEqual([expect.stringContaining('already running')])
  const serving = shops.find((shop) => !shop.failure)!
  await ask(serving.ownerUrl, 'CREATE TABLE whole ()')
  expect(await readdir(dataDir)).toEqual(['postgres'])
  await stopShop(serving)
})

test('adopts the server of a killed shop', async () => {
  haveDatabase()
  const killed = await startShop()
  await ask(killed.ownerUrl, 'CREATE TABLE kept ()')
  const pid = await readPid()
  killed.process.kill('SIGKILL')
  const next = await start()
  expect(await readPid()).toBe(pid)
  expect(await ask(next.ownerUrl, "SELECT to_regclass('kept')::text AS kept")).toEqual([{ kept: 'kept' }])
})

test('waits for a stopping shop, then starts a server that keeps running', async () => {
  haveDatabase()
  let shop = await start()
  for (let round = 0; round < 6; round++) {
    const ending = shop.stop()
    // each round restarts at a later point of the stop
    await new Promise((done) => setTimeout(done, round * 12))
    shop = await start()
    await ending
    expect(await ask(shop.ownerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  }
})

test('recovers committed rows after the whole process tree was killed', async () => {
  haveDatabase()
  const killed = await startShop()
  await ask(killed.ownerUrl, 'CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n')
  killed.process.kill('SIGKILL')
  await killServer()
  const next = await start()
  expect(await ask(next.ownerUrl, 'SELECT count(*)::int AS rows FROM kept')).toEqual([{ rows: 1000 }])
})

test('restarts on the same port a database server that dies under a running shop', async () => {
  haveDatabase()
  const shop = await start()
  await ask(shop.ownerUrl, 'CREATE TABLE kept ()')
  const pid = await readPid()
  await killServer()
  await vi.waitFor(async () => ask(shop.ownerUrl, 'SELECT * FROM kept'), { timeout: 60_000, interval: 100 })
  expect(await readPid()).not.toBe(pid)
  await vi.waitFor(async () => expect(await refusal()).toContain('already running'), { timeout: 60_000 })
})

test.each([
  ['of a process that is gone', () => spawnAndWait()],
  ['of a stranger', () => process.ppid],
  ['empty', () => ''],
])('starts despite a left-over postmaster.pid (%s)', async (_case, first) => {
  haveDatabase()
  const shop = await start()
  const text = await readFile(pidFile(), 'utf8')
  await shop.stop()
  const left = await first()
  await writeFile(pidFile(), left === '' ? '' : text.replace(/^\d+/, String(left)))
  const next = await start()
  expect(await ask(next.ownerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

async function spawnAndWait(): Promise<number> {
  const child = spawn(process.execPath, ['--version'])
  await new Promise((resolve) => child.once('exit', resolve))
  return child.pid!
}

test('starts after a first start was killed half-way', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../test/embedded.child.ts'), dataDir])
  const halfMade = async () => expect((await readdir(dataDir)).join()).toContain('postgres.new-')
  await vi.waitFor(halfMade, { timeout: 60_000, interval: 5 })
  child.kill('SIGKILL')
  const shop = await start()
  expect(await ask(shop.ownerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('rejects a database of another PostgreSQL version', async () => {
  haveDatabase()
  await (await start()).stop()
  await writeFile(join(dataDir, 'postgres/data/PG_VERSION'), '19\n')
  expect(await refusal()).toContain('is of PostgreSQL 19, this Primo runs 18. Nothing was changed')
})

test('reports a damaged database with the cause and the log file', async () => {
  haveDatabase()
  await (await start()).stop()
  await rm(join(dataDir, 'postgres/data/global/pg_control'))
  const message = await refusal()
  expect(message).toMatch(/does not start: .*pg_control.*Nothing was changed; see .*server\.log/)
  await rm(join(dataDir, 'postgres/data/PG_VERSION'))
  expect(await refusal()).toContain('PG_VERSION is missing')
  await rm(join(dataDir, 'postgres/data'), { recursive: true })
  expect(await refusal()).toContain('PG_VERSION is missing')
})

test('reports a wrong or missing password file, and stops the server', async () => {
  haveDatabase()
  await (await start()).stop()
  const file = join(dataDir, 'postgres/password')
  const password = await readFile(file, 'utf8')
  await writeFile(file, 'another')
  expect(await refusal()).toContain('accepts no connection: password authentication failed')
  await expect(stat(pidFile())).rejects.toThrow('ENOENT')
  await rm(file)
  expect(await refusal()).toContain('password cannot be read')
  await writeFile(file, password)
  await start()
})

test('reports that DATA_DIR is a file', async () => {
  await writeFile(dataDir, 'mine')
  expect(await refusal()).toContain(`DATA_DIR: ${dataDir} is not a folder but a file.`)
  expect(await refusal({ dataDir: join(dataDir, 'deeper') })).toContain('is not a folder but a file')
  expect(await readFile(dataDir, 'utf8')).toBe('mine')
})

test('reports a disk with too little space', async () => {
  const message = await refusal({ leastFreeBytes: 2 ** 60 })
  expect(message).toMatch(/^Failure: The disk of .* has \d+ MB left; Primo needs \d+ MB\./)
  expect(await readdir(dataDir)).toEqual([])
})

test('reports a data folder that is not writable', async () => {
  await chmod(join(dataDir, '..'), 0o555)
  // root can write to any folder, so the test starts the shop as another user
  const { failure } = await startShop(isRoot ? { uid: 65534, gid: 65534 } : {})
  expect(failure).toBe(`DATA_DIR: ${dataDir} cannot be written (EACCES). Give a folder that this user may write.`)
})

test.runIf(isRoot)('changes the owner of a copy made by root to the user postgres', async () => {
  haveDatabase()
  await (await start()).stop()
  await chown(join(dataDir, 'postgres'), 0, 0)
  await chown(join(dataDir, 'postgres/data'), 0, 0)
  await start()
  expect((await stat(`/proc/${await readPid()}`)).uid).not.toBe(0)
})

test.runIf(isRoot)('runs the database of an ordinary user as that user when root starts it', async () => {
  await chmod(join(dataDir, '..'), 0o777)
  const theirs = await startShop({ uid: 65534, gid: 65534 })
  await stopShop(theirs)
  const roots = await startShop()
  expect((await stat(`/proc/${await readPid()}`)).uid).toBe(65534)
  await stopShop(roots)
  const again = await startShop({ uid: 65534, gid: 65534 })
  await stopShop(again)
})

test.runIf(isRoot)('stores and reports the database in /var/lib/primo if only root may enter the folder', async () => {
  await chmod(join(dataDir, '..'), 0o700)
  const said: string[] = []
  const shop = await start({ say: (line) => said.push(line) })
  expect(said).toEqual([
    expect.stringMatching(/^The user postgres cannot enter .*, so the database's files are in \/var\/lib\/primo\//),
  ])
  await ask(shop.ownerUrl, 'CREATE TABLE kept ()')
  await shop.stop()
  const next = await start()
  expect(next.pgDir).toBe(shop.pgDir)
  await ask(next.ownerUrl, 'SELECT * FROM kept')
  await next.stop()
  await rm(join(shop.pgDir, '..'), { recursive: true })
  expect(await refusal()).toContain('points to a folder that is gone')
})

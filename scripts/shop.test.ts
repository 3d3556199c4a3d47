import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { getCurrentUser } from '../src/identity/identity.contract.ts'
import { send } from '../src/kit/call.ts'
import { makeStore } from './shop/store.test.help.ts'
import { terminal } from './shop/run.test.help.ts'

const SCRIPT = join(import.meta.dirname, 'shop.ts')

/** Runs the command in a separate process, as a terminal does. */
async function runScript(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SCRIPT, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, out, err }
}

test('lists one line per command for help and for an unknown command, which also fails', async () => {
  const run = terminal({})
  const help = await run('help')
  expect(help).toMatchObject({ code: 0, err: [] })
  expect(help.out).toHaveLength(27)
  const unknown = await run('sell everything')
  expect(unknown).toMatchObject({ code: 1, out: [] })
  expect(unknown.err[0]).toContain("'sell everything'")
  expect(unknown.err.slice(1)).toEqual(help.out.slice(1))
  expect((await run('')).code).toBe(1)
})

test.each([
  ['doctr', 'doctor'],
  ['restor /backups/x.tar.gz', 'restore'],
  ['usr add ada@shop.example', 'user add'],
  ['migrat', 'migrate'],
])('suggests the closest command for "%s"', async (typed, meant) => {
  const { code, out, err } = await terminal({})(typed)
  expect({ code, out }).toEqual({ code: 1, out: [] })
  expect(err).toEqual([`There is no command '${typed}'. Did you mean '${meant}'? npm run shop -- help lists all.`])
})

test('every command in the documentation and deploy/ exists with its options', async () => {
  const { out } = await terminal({})('help')
  const lines = out.slice(1).map((line) => line.trim())
  const root = join(import.meta.dirname, '..')
  const files = [
    'README.md',
    ...['docs/operating', 'deploy'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    ),
  ]
  const texts = files
    .filter((name) => statSync(join(root, name)).isFile())
    .map((name) => readFileSync(join(root, name), 'utf8'))
  const named = texts.flatMap((text) => [
    ...text.matchAll(/(?:npm run (?:-s )?shop -- |scripts\/shop\.ts )([a-z][^`|;&<>\n]*)/g),
  ])
  expect(named.length).toBeGreaterThan(30)
  const unknown = named
    .map(([, asked]) => asked!.trim())
    .filter((asked) => {
      const words = asked.split(/\s+/)
      const flags = words.filter((word) => word.startsWith('--'))
      return (
        words[0] !== 'help' &&
        !lines.some((line) => line.split(/[ :]/)[0] === words[0] && flags.every((flag) => line.includes(flag)))
      )
    })
  expect(unknown).toEqual([])
})

test('shows the line of one command for help and --help', async () => {
  const run = terminal({})
  const line = 'npm run shop -- refund <order id> [--amount 1.00] --reason "..." [--codes-seen]: Refunds an order'
  for (const asked of ['help refund', '--help refund', 'refund --help', 'refund 17 -h'])
    expect(await run(asked)).toMatchObject({ code: 0, err: [], out: [expect.stringContaining(line)] })
  const users = await run('help user')
  expect(users).toMatchObject({ code: 0, err: [] })
  for (const said of users.out) expect(said).toMatch(/^npm run shop -- user /)
  expect((await run('help sell')).err[0]).toBe("There is no command 'sell'. There are:")
})

test('reports a wrong option in one line', async () => {
  const run = terminal({ NODE_ENV: 'test' })
  const usage = 'Usage: npm run shop -- refund '
  for (const [args, says] of [
    ['--reason x --amount=-1', /^--amount: give dollars and cents, such as 1\.00\.$/],
    ['--reason x --amount -1', /^--amount: give dollars and cents, such as 1\.00\.$/],
    ['--amount --reason x', new RegExp(`^--amount: give a value\\. ${usage}`)],
    ['--amount', new RegExp(`^--amount: give a value\\. ${usage}`)],
    ['--sum 1', new RegExp(`^Unknown option '--sum'\\. ${usage}`)],
  ] as const) {
    const { code, out, err } = await run(`refund 17 ${args}`)
    expect({ args, code, out, err }).toEqual({ args, code: 1, out: [], err: [expect.stringMatching(says)] })
    expect(err[0]).not.toContain('\n')
  }
})

test('`session` prints only a cookie that the running shop accepts', async () => {
  const store = await makeStore()
  await store.run('user add ada@shop.example --admin')
  const { server } = await store.open()
  const { code, out, err } = await runScript(['session', 'ada@shop.example'], store.env)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^primo=\S+\n$/)
  const user = await send(getCurrentUser, {}, { base: server.url, headers: { cookie: out.trim() } })
  expect(user).toMatchObject({ email: 'ada@shop.example', isAdmin: true })
})

test('prints an error as one line on standard error', async () => {
  const store = await makeStore()
  const { code, out, err } = await runScript(['session', 'nobody@shop.example'], store.env)
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: 'There is no account for nobody@shop.example.\n' })
  const wrong = await runScript(['migrate'], { ...store.env, PORT: 'many' })
  expect(wrong).toMatchObject({ code: 1, err: expect.stringMatching(/^PORT: "many" is not allowed[^\n]*\n$/) })
})

test('starts the embedded database for one command at a time without DATABASE_URL', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'primo-command-'))
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { DATA_DIR: join(folder, 'data') }
  const first = await runScript(['migrate'], env)
  expect(first).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Applied 01_kit.sql.') })
  const both = await Promise.all(
    ['ada', 'bob'].map((name) => runScript(['user', 'add', `${name}@shop.example`, '--admin'], env)),
  )
  expect(both.map(({ code, err }) => ({ code, err }))).toEqual([
    { code: 0, err: '' },
    { code: 0, err: '' },
  ])
  const file = join(folder, 'backup.tar.gz')
  expect(await runScript(['backup', file], env)).toMatchObject({ code: 0 })
  const checked = await runScript(['backup', 'check', file], env)
  expect(checked).toMatchObject({ code: 0, err: '', out: expect.stringContaining('ledger rules hold') })
  expect(existsSync(join(env.DATA_DIR, 'postgres/data/postmaster.pid'))).toBe(false)
})

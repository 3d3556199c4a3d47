import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findPostgresAccount, isRoot } from '../src/kit/embedded/programs.server.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'

// Starts PgBouncer in transaction mode in front of a database, if it is installed.

export const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0

const GUIDE = join(import.meta.dirname, '../docs/operating/pgbouncer.md')

function readGuide(): string {
  const [, block] = /^```\n(\[databases\]\n.*?)^```$/ms.exec(readFileSync(GUIDE, 'utf8')) ?? []
  if (!block) throw new Error('docs/operating/pgbouncer.md has no settings of PgBouncer')
  return block
}

/** `size` limits the connections to the server; one client may use all. `hasLimits: false` removes their timeouts. */
export async function openPgbouncer(databaseUrl: string, { size = 5, hasLimits = true } = {}) {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'primo-pgbouncer-'))
  chmodSync(folder, 0o755)
  const own = await findFreePort()
  const users = join(folder, 'userlist.txt')
  writeFileSync(users, `"${username}" "any"\n`)
  const name = pathname.slice(1)
  const server = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)} dbname=${name}`
  const settings = readGuide()
    .replace(/^shop = host=\S+ dbname=\S+ pool_size=\d+/m, `${name} = ${server} pool_size=${size}`)
    .replace(/ connect_query='.*'/, (limits) => (hasLimits ? limits : ''))
    .replace(/^(listen_port = ).*/m, `$1${own}`)
    .replace(/^(auth_file = ).*/m, `$1${users}`)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `${settings}unix_socket_dir =\n`)
  // PgBouncer refuses to run as root
  const account = isRoot ? await findPostgresAccount() : undefined
  const child = spawn('pgbouncer', [file], { ...account, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const end = performance.now() + 10_000
  while (!(await answers(own))) {
    if (child.exitCode !== null || performance.now() > end) throw new Error(`PgBouncer did not start:\n${output}`)
    await pause(20)
  }
  return {
    url: `postgres://${username}:any@127.0.0.1:${own}${pathname}`,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const answers = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.end())
  })

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findPostgresAccount, isRoot } from '../src/kit/embedded/programs.server.ts'
import { findFreePort } from '../src/kit/port.server.ts'

// PgBouncer in transaction mode in front of a database, where the machine has it.

export const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0

/** What the shop sets on connections of its own, as docs/operating.md shows. */
const LIMITS = 'SET statement_timeout = 10000; SET lock_timeout = 5000; SET idle_in_transaction_session_timeout = 15000'

/** `size` is the number of connections to the server, all of which any client may get. */
export async function openPgbouncer(databaseUrl: string, { size = 5, limits = LIMITS } = {}) {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'primo-pgbouncer-'))
  chmodSync(folder, 0o755)
  const own = await findFreePort()
  const line = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)} pool_size=${size}`
  const settings = [
    '[databases]',
    `* = ${line}${limits ? ` connect_query='${limits}'` : ''}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'max_client_conn = 500',
    'server_reset_query =',
    // after a fail-over it asks again at once and not after fifteen seconds
    'server_login_retry = 1',
  ]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `${settings.join('\n')}\n`)
  // it refuses to run as root
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

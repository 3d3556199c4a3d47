import { spawn } from 'node:child_process'
import { closeSync, fchownSync, openSync } from 'node:fs'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Home } from './home.server.ts'
import { ENVIRONMENT, lastLine, run } from './programs.server.ts'
import { operatorFailure } from '../failure.ts'
import { findFreePort } from '../serve/port.server.ts'

// Starts, adopts and stops the postmaster, the main process of the database server. data/postmaster.pid has its pid.

export type Settings = Record<string, string | number>

const SETTINGS: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 200,
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '512MB',
  random_page_cost: 1.1,
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // constraint violations are normal, and logged statements would reveal customers' data
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

const GREATEST_LOG_BYTES = 5 * 1024 * 1024
const TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 60_000
const FRESH_MS = 1000

export type Running = { port: number; isAdopted: boolean }

export async function bringUp(home: Home, settings: Settings, wantedPort?: number): Promise<Running> {
  const until = Date.now() + TIMEOUT_MS
  for (;;) {
    const left = await readPidFile(home.pgDir)
    if (left && (await isAlive(left.pid, home.pgDir))) {
      if (left.state === 'ready') return { port: left.port, isAdopted: true }
      if (left.state === 'stopping' && Date.now() > until) {
        throw operatorFailure(
          `The database server of the last run (process ${left.pid}) does not stop. End it, then start again.`,
        )
      }
      await sleep(20)
      continue
    }
    const cause = await launch(home, settings, wantedPort ?? (await findFreePort()))
    if (typeof cause === 'number') return { port: cause, isAdopted: false }
    const mayPass = /already exists|is empty|TCP\/IP sockets|still in use/.test(cause)
    if (!mayPass || Date.now() > until) {
      throw operatorFailure(
        `The database in ${home.pgDir} does not start: ${cause}. Nothing was changed; see ${home.logFile}, restore a backup, or give another DATA_DIR.`,
      )
    }
    await sleep(200)
  }
}

export async function findRunning(pgDir: string): Promise<number | undefined> {
  const left = await readPidFile(pgDir)
  return left?.state === 'ready' && (await isAlive(left.pid, pgDir)) ? left.port : undefined
}

/** Stops the server and waits for the end of its process. Another start may launch a new server at once. */
export async function stopServer(home: Home) {
  const server = await readPidFile(home.pgDir)
  const args = ['stop', '-D', home.pgDir, '-m', 'fast', '-W']
  const told = await run(home.programs.pgCtl, args, { account: home.account, cwd: home.dir })
  const until = Date.now() + STOP_TIMEOUT_MS
  while (server && (await isAlive(server.pid, home.pgDir))) {
    if (Date.now() > until) throw operatorFailure(`The database did not stop: ${lastLine(told.output)}`)
    await sleep(20)
  }
}

/** Starts the server in its own process group, so that Ctrl-C does not end it. Returns the port, or why it failed. */
async function launch(home: Home, settings: Settings, port: number): Promise<number | string> {
  await yieldStalePid(home.pgDir)
  const all = Object.entries({ ...SETTINGS, ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { size } = await stat(home.logFile).catch(() => ({ size: 0 }))
  if (size > GREATEST_LOG_BYTES) await rename(home.logFile, `${home.logFile}.1`)
  const logStart = size > GREATEST_LOG_BYTES ? 0 : size
  const output = openSync(home.logFile, 'a', 0o600)
  if (home.account) fchownSync(output, home.account.uid, home.account.gid)
  const child = spawn(home.programs.postgres, ['-D', home.pgDir, ...all], {
    ...home.account,
    cwd: home.dir,
    env: ENVIRONMENT,
    detached: true,
    stdio: ['ignore', output, output],
    windowsHide: true,
  })
  closeSync(output)
  child.unref()
  let ended: string | undefined
  child.on('error', (error) => (ended = error.message))
  child.on('exit', (code, signal) => (ended = `it ended with ${signal ?? code}`))
  while (ended === undefined) {
    const now = await readPidFile(home.pgDir)
    if (now?.pid === child.pid && now?.state === 'ready') return now.port
    await sleep(10)
  }
  const log = (await readFile(home.logFile)).subarray(logStart).toString()
  return [...log.matchAll(/(?:FATAL|PANIC):\s+(.*)/g)].at(-1)?.[1] ?? (lastLine(log) || ended)
}

type PidFile = { pid: number; port: number; state: string }

async function readPidFile(pgDir: string): Promise<PidFile | undefined> {
  const text = await readFile(join(pgDir, 'postmaster.pid'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const lines = text.split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]), state: lines[7]?.trim() ?? '' }
}

/** Returns true if `pid` is the server of this folder, not an unrelated process that reuses the pid. */
async function isAlive(pid: number, pgDir: string): Promise<boolean> {
  if (!isRunning(pid)) return false
  if (process.platform === 'win32') return true
  const shown =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : (await run('ps', ['-o', 'command=', '-p', String(pid)])).output
  return shown.includes(pgDir)
}

function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * PostgreSQL does not start if the pid in postmaster.pid belongs to an unrelated process. It treats its parent's pid as
 * stale, so this writes the pid of this process. The other lines protect against processes of the old server.
 */
async function yieldStalePid(pgDir: string) {
  const left = await readPidFile(pgDir)
  if (!left || (left.pid > 0 && !isRunning(left.pid)) || (await isAlive(left.pid, pgDir))) return
  const file = join(pgDir, 'postmaster.pid')
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }))
  // a concurrent start may be writing the file
  if (Date.now() - mtimeMs < FRESH_MS) return
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(/^.*/, String(process.pid)))
}

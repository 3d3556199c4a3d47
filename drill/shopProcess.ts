import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { required } from '../src/kit/values/required.ts'

const ROOT = join(import.meta.dirname, '..')
const ENTRY = 'src/app/main.server.ts'
const FOLLOW = `data:text/javascript,${encodeURIComponent(
  'const parent = process.ppid; setInterval(() => process.ppid !== parent && process.kill(process.pid, "SIGTERM"), 500).unref()',
)}`

/** Shifts the clock of the shop, but not of its sandbox (sandbox/clock.server.ts) or of the database. */
export const wrongClock = (minutes: number): string[] => [
  '--import',
  `data:text/javascript,${encodeURIComponent(`
    const right = Date
    const by = ${minutes} * 60_000
    globalThis.Date = class Date extends right {
      constructor(...given) {
        if (given.length === 0) super(right.now() + by)
        else super(...given)
      }
      static now() {
        return right.now() + by
      }
    }
    Date.right = right`)}`,
]

const NEVER = /a request failed|an unhandled rejection|an uncaught exception|the payment sandbox failed/

export type ShopProcess = {
  pid: number
  /** Milliseconds from the start of the process to the first ready answer. */
  startedInMs: number
  isRunning: () => boolean
  /** Log lines of a 5xx other than 503, an unhandled rejection or an uncaught exception. */
  errors: () => string[]
  kill: () => Promise<void>
  stop: () => Promise<number | null>
}

export async function startShop(
  port: number,
  settings: Record<string, string>,
  { flags = [] as string[], readyPath = '/readyz', patienceMs = 120_000, root = ROOT } = {},
): Promise<ShopProcess> {
  const startedAt = performance.now()
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8', '--import', FOLLOW, ...flags, ENTRY],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        // same values as in the launcher and npm start
        MALLOC_ARENA_MAX: '2',
        NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
        NODE_ENV: 'test',
        PORT: String(port),
        RATE_LIMIT_SCALE: '0',
        // The drill's shoppers buy hundreds of times an hour, so risk decisions are only logged.
        RISK_CHECKS: 'watch',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  while (!(await isReady(port, readyPath))) {
    if (!isRunning()) throw new Error(`the shop did not start:\n${output}`)
    if (performance.now() - startedAt > patienceMs) {
      child.kill('SIGKILL')
      throw new Error(`the shop was not ready in time:\n${output}`)
    }
    await pause(10)
  }
  return {
    pid: required(child.pid, 'the process id'),
    startedInMs: performance.now() - startedAt,
    isRunning,
    errors: () => output.split('\n').filter((line) => NEVER.test(line)),
    kill: () => end(child, 'SIGKILL').then(() => undefined),
    stop: () => end(child, 'SIGTERM'),
  }
}

async function isReady(port: number, path: string): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}${path}`)).ok
  } catch {
    return false
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return child.exitCode
}

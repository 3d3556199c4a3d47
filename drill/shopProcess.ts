import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

// The shop as a process of its own, so that it can be killed.

const ROOT = join(import.meta.dirname, '..')
const ENTRY = 'src/app/main.server.ts'
// a shop whose drill is gone must not stay behind
const FOLLOW = `data:text/javascript,${encodeURIComponent(
  'const parent = process.ppid; setInterval(() => process.ppid !== parent && process.kill(process.pid, "SIGTERM"), 500).unref()',
)}`

const NEVER = /a request failed|an unhandled rejection|an uncaught exception|the payment sandbox failed/

export type ShopProcess = {
  pid: number
  /** Milliseconds from the start of the process to the first answer that was ready. */
  startedInMs: number
  isRunning: () => boolean
  /** The log lines that must never be there: a 5xx that is no 503, an unhandled rejection, an uncaught exception. */
  errors: () => string[]
  /** SIGKILL: no goodbye. */
  kill: () => Promise<void>
  /** SIGTERM: finishes what is under way. Answers the exit code. */
  stop: () => Promise<number | null>
}

/** Starts the shop on `port` and waits until it is ready. Throws with its output when it ends before. */
export async function startShop(
  port: number,
  settings: Record<string, string>,
  { flags = [] as string[], readyPath = '/readyz', patienceMs = 60_000 } = {},
): Promise<ShopProcess> {
  const startedAt = performance.now()
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8', '--import', FOLLOW, ...flags, ENTRY],
    {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        // as the launcher starts it
        NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
        NODE_ENV: 'test',
        PORT: String(port),
        RATE_LIMIT_SCALE: '0',
        // a few shoppers buy hundreds of times an hour: what is judged is written down, and stops nothing
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
    pid: child.pid!,
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

import { readCurrent } from './current.server.ts'

// One JSON line an event on standard output; JSON escapes control characters, so a value cannot forge a line.

const LEVELS = { debug: 10, info: 20, warn: 30, error: 40, silent: 99 } as const
type Level = keyof typeof LEVELS
type Fields = Record<string, unknown>

let threshold: number = LEVELS.info

export function setLogLevel(level: Level) {
  threshold = LEVELS[level]
}

export const isDebugging = () => threshold <= LEVELS.debug

function write(level: Exclude<Level, 'silent'>, message: string, fields: Fields) {
  if (LEVELS[level] < threshold) return
  const { error, ...rest } = fields
  const line = {
    time: new Date().toISOString(),
    level,
    message,
    ...about(),
    ...rest,
    ...(error !== undefined && { error: describe(error) }),
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** Which request or job the line belongs to. */
function about() {
  const requestId = readCurrent()?.requestId
  return requestId ? { requestId } : {}
}

function describe(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  return { name: error.name, message: error.message, stack: error.stack, ...('code' in error && { code: error.code }) }
}

export const log = {
  debug: (message: string, fields: Fields = {}) => write('debug', message, fields),
  info: (message: string, fields: Fields = {}) => write('info', message, fields),
  warn: (message: string, fields: Fields = {}) => write('warn', message, fields),
  error: (message: string, fields: Fields = {}) => write('error', message, fields),
}

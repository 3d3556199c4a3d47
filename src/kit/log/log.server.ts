import { type LevelWithSilent, pino } from 'pino'
import { readCurrent } from './current.server.ts'

// Writes one JSON line per event to standard output. JSON escapes control characters, so a value cannot forge a line.

type Fields = Record<string, unknown>

const lines = pino(
  {
    base: null,
    messageKey: 'message',
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (level) => ({ level }) },
    mixin: () => {
      const requestId = readCurrent()?.requestId
      return requestId ? { requestId } : {}
    },
    serializers: { error: describe },
  },
  { write: (line) => process.stdout.write(line) },
)

/** Picks fields, because an error of the database also contains the row, which must not reach the log. */
function describe(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  return { name: error.name, message: error.message, stack: error.stack, ...('code' in error && { code: error.code }) }
}

export function setLogLevel(level: LevelWithSilent) {
  lines.level = level
}

export const isDebugging = () => lines.isLevelEnabled('debug')

const at =
  (level: 'debug' | 'info' | 'warn' | 'error') =>
  (message: string, fields: Fields = {}) =>
    lines[level](fields, message)

export const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }

import { REPORT_BYTES } from './errors.contract.ts'
import { routeOf } from '../../kit/log/scrub.rules.ts'

export type ErrorType = 'javascript' | 'network' | 'performance'
export type ErrorSeverity = 'low' | 'medium' | 'high' | 'critical'

export type ClientError = {
  id: string
  type: ErrorType
  message: string
  stack: string
  /** Milliseconds since 1970. */
  timestamp: number
  severity: ErrorSeverity
  /** True only if a check showed that the fix worked. */
  autoFixed: boolean
  userAgent: string
}

const WORDS: [ErrorSeverity, RegExp][] = [
  ['critical', /payment|security|auth/i],
  ['high', /network|api|fetch/i],
  ['medium', /render|component/i],
]

export const severityOf = (message: string): ErrorSeverity =>
  WORDS.find(([, words]) => words.test(message))?.[0] ?? 'low'

/**
 * Returns the severity for staff. The message of a slow request is its URL, which must not be searched for alarming
 * words: `/api/payments` is not an attack.
 */
export const gradeOf = ({ type, message }: { type: ErrorType; message: string }): ErrorSeverity =>
  type === 'performance' ? 'low' : severityOf(message)

/** Urgent errors are sent at once, one by one. The others are sent in batches. */
export const isUrgent = (severity: ErrorSeverity): boolean => severity === 'high' || severity === 'critical'

export function fixFor({ type, message }: Pick<Described, 'type' | 'message'>): 'retry' | 'lighten' | 'nulls' | null {
  if (type === 'javascript') return /undefined/i.test(message) ? 'nulls' : null
  return type === 'network' ? 'retry' : 'lighten'
}

export type Described = { type: ErrorType; name: string; message: string; stack: string }

const NETWORK = /failed to fetch|networkerror|load failed|dynamically imported module|importing a module script/i
const NOISE = /^(?:ResizeObserver loop.*|Script error\.?)$|AbortError|(?:chrome|moz|safari-web)-extension:\/\//m

/** Reads any thrown value. Null if the shop is not the cause. */
export function describeThrown(thrown: unknown): Described | null {
  const isError = thrown instanceof Error
  const name = isError ? thrown.name : ''
  const message = (isError ? thrown.message : typeof thrown === 'string' ? thrown : tryText(thrown)).slice(0, 1000)
  const stack = (isError ? (thrown.stack ?? '') : '').slice(0, 5000)
  if (NOISE.test(`${message}\n${name}\n${stack}`)) return null
  // the shop refused the request on purpose
  if (name === 'Failure' && !/^5\d\d: /.test(message)) return null
  return { type: NETWORK.test(message) ? 'network' : 'javascript', name, message: message || name || 'Unknown', stack }
}

function tryText(thrown: unknown): string {
  try {
    return JSON.stringify(thrown) ?? String(thrown)
  } catch {
    return 'Unknown'
  }
}

export function thrownIn(event: object): { thrown: unknown } | null {
  const { reason, error, message } = event as Record<string, unknown>
  if ('reason' in event) return { thrown: reason }
  return 'error' in event || 'message' in event ? { thrown: error ?? message } : null
}

const KINDS: Record<string, string> = { IMG: 'image', SCRIPT: 'script', LINK: 'style sheet' }

export function resourceOf(target: object | null): { kind: string; url: string } {
  const { tagName = '', currentSrc, src, href } = (target ?? {}) as Record<string, string | undefined>
  const kind = KINDS[tagName] ?? ''
  return { kind, url: (kind && (currentSrc || src || href)) || '' }
}

const network = (message: string): Described => ({
  type: 'network',
  name: 'NetworkError',
  message: `Network error: ${message}`,
  stack: '',
})

export const describeRequest = (method: string, url: string, status: number): Described =>
  network(`${method} ${routeOf(url)} ${status === 0 ? 'was not answered' : `was answered with ${status}`}`)

export const describeResource = (kind: string, url: string): Described =>
  network(`${kind} ${routeOf(url)} could not be loaded`)

export const SLOW_MS = 3000
/** File transfers take long, and the change feed stays open. */
const LASTING = /\/(objects|downloads|uploads|s3)\/|\/api\/events/

export function describeSlow(entry: { entryType: string; name: string; duration: number }): Described | null {
  if (entry.duration <= SLOW_MS || LASTING.test(entry.name)) return null
  const what = entry.entryType === 'resource' ? ` ${routeOf(entry.name)}` : ''
  const message = `Slow performance: ${entry.entryType}${what} took ${Math.round(entry.duration)} ms`
  return { type: 'performance', name: 'SlowEntry', message, stack: '' }
}

type Sent = { key: string; at: number }
const MINUTE = 60_000
export const MAX_PER_MINUTE = 10

/** Limits records to ten a minute, and the same record to one a minute. */
export function maySend(sent: Sent[], key: string, now: number): boolean {
  const lately = sent.filter(({ at }) => now - at < MINUTE)
  return lately.length < MAX_PER_MINUTE && lately.every((one) => one.key !== key)
}

const CONTEXT_BYTES = 4 * 1024
const MIN_LENGTH = 100
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/** Shortens records to the size of one report. Stacks keep their innermost frames, messages their beginning. */
export function fitReport(records: ClientError[]): ClientError[] {
  let fitted = records
  for (let most = 4096; bytesOf(fitted) > REPORT_BYTES - CONTEXT_BYTES && most >= 1; most = Math.floor(most / 2))
    fitted = records.map(({ message, stack, ...record }) => ({
      ...record,
      message: message.slice(0, Math.max(most, MIN_LENGTH)),
      stack: stack.slice(0, most),
    }))
  return fitted
}

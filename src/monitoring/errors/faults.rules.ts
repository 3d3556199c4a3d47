import { REPORT_BYTES } from './errors.contract.ts'
import type { ClientError, ErrorType } from './errors.rules.ts'
import { routeOf } from './scrub.rules.ts'

export type Described = { type: ErrorType; name: string; message: string; stack: string }

const NETWORK = /failed to fetch|networkerror|load failed|dynamically imported module|importing a module script/i
/** What says nothing about the shop: the browser's own remarks, extensions, scripts of others, and requests given up. */
const NOISE = /^(?:ResizeObserver loop.*|Script error\.?)$|AbortError|(?:chrome|moz|safari-web)-extension:\/\//m

/** Reads whatever was thrown; null for what is no fault of the shop. */
export function describeThrown(thrown: unknown): Described | null {
  const isError = thrown instanceof Error
  const name = isError ? thrown.name : ''
  const message = (isError ? thrown.message : typeof thrown === 'string' ? thrown : tryText(thrown)).slice(0, 1000)
  const stack = (isError ? (thrown.stack ?? '') : '').slice(0, 5000)
  if (NOISE.test(`${message}\n${name}\n${stack}`)) return null
  // a refusal that the shop answered with is no error of a browser
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

const network = (message: string): Described => ({
  type: 'network',
  name: 'NetworkError',
  message: `Network error: ${message}`,
  stack: '',
})

/** A request that was not answered (status 0), or with 5xx. */
export const describeRequest = (method: string, url: string, status: number): Described =>
  network(`${method} ${routeOf(url)} ${status === 0 ? 'was not answered' : `was answered with ${status}`}`)

/** A picture, script or style sheet that did not load. */
export const describeResource = (kind: string, url: string): Described =>
  network(`${kind} ${routeOf(url)} could not be loaded`)

export const SLOW_MS = 3000
/** Files on their way to or from the customer take the time they take, and the stream of news is open all the time. */
const LASTING = /\/(objects|downloads|uploads|s3)\/|\/api\/events/

/** A performance entry that took longer than 3000 ms; null for others. */
export function describeSlow(entry: { entryType: string; name: string; duration: number }): Described | null {
  if (entry.duration <= SLOW_MS || LASTING.test(entry.name)) return null
  const what = entry.entryType === 'resource' ? ` ${routeOf(entry.name)}` : ''
  const message = `Slow performance: ${entry.entryType}${what} took ${Math.round(entry.duration)} ms`
  return { type: 'performance', name: 'SlowEntry', message, stack: '' }
}

type Sent = { key: string; at: number }
const MINUTE = 60_000
export const MOST_A_MINUTE = 10

/** Whether one more record may leave the browser: ten a minute in all, and the same one once a minute. */
export function maySend(sent: Sent[], key: string, now: number): boolean {
  const lately = sent.filter(({ at }) => now - at < MINUTE)
  return lately.length < MOST_A_MINUTE && lately.every((one) => one.key !== key)
}

/** What the context of a report may take of its size. */
const CONTEXT_BYTES = 4 * 1024
/** Of a message, in characters. */
const SHORTEST = 100
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/** Records as one report may hold them: where they are too large together, each stack keeps its innermost frames, and each message its begin. */
export function fitReport(records: ClientError[]): ClientError[] {
  let fitted = records
  for (let most = 4096; bytesOf(fitted) > REPORT_BYTES - CONTEXT_BYTES && most >= 1; most = Math.floor(most / 2))
    fitted = records.map(({ message, stack, ...record }) => ({
      ...record,
      message: message.slice(0, Math.max(most, SHORTEST)),
      stack: stack.slice(0, most),
    }))
  return fitted
}

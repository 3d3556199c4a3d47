import { send } from '../../kit/call.ts'
import { analyzeError, MAX_AT_ONCE, reportErrors } from './errors.contract.ts'
import { type ClientError, isUrgent, fitReport, maySend } from './errors.rules.ts'
import { scrub } from '../../kit/log/scrub.rules.ts'

// Sends urgent records at once and the others every 20 s. A record that cannot be sent is only counted on this device.

const GATHER_MS = 20_000
let sent: { key: string; at: number }[] = []
const gathered: ClientError[] = []
let timer: ReturnType<typeof setTimeout> | undefined

const headersOf = (): Record<string, string> => {
  const { release } = document.documentElement.dataset
  return release ? { 'x-release': release } : {}
}
// the request must continue after the page is closed
const options = () => ({
  headers: headersOf(),
  fetch: (path: RequestInfo | URL, init?: RequestInit) => fetch(path, { ...init, keepalive: true }),
})

const contextNow = () => ({ userAgent: navigator.userAgent, timestamp: Date.now(), url: scrub(location.href) })

function isAllowed(key: string): boolean {
  const now = Date.now()
  if (!maySend(sent, key, now)) return false
  sent = [...sent.slice(-MAX_AT_ONCE), { key, at: now }]
  return true
}

export async function sendRenderError(error: { name: string; message: string; stack: string }, componentStack: string) {
  if (sent.some(({ key, at }) => key === error.message && Date.now() - at < 60_000)) return true
  if (!isAllowed(error.message)) return false
  const context = { ...contextNow(), componentStack: scrub(componentStack.slice(0, 4000)), errorBoundary: true }
  return send(analyzeError, { error, context }, options()).then(
    ({ success }) => success,
    () => false,
  )
}

export function post(record: ClientError) {
  if (!isAllowed(record.message)) return
  if (isUrgent(record.severity))
    return void send(analyzeError, { error: record, context: contextNow() }, options()).catch(() => undefined)
  gathered.push(record)
  timer ??= setTimeout(flush, GATHER_MS)
}

export function flush() {
  const errors = fitReport(empty())
  if (errors.length > 0) send(reportErrors, { errors, context: contextNow() }, options()).catch(() => undefined)
}

export const discard = () => void empty()

function empty(): ClientError[] {
  clearTimeout(timer)
  timer = undefined
  return gathered.splice(0)
}

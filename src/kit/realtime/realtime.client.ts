import { createStore } from '../store.client.ts'
import { connected, describeRefusal, fail, offline, type Realtime, starting, waitOf } from './realtime.rules.ts'

// Polls for changes, with one poller per page. Pauses while the page is hidden or offline, then polls at once.

export const realtime = createStore<Realtime>(starting)

type Polling = {
  path: string
  hear: (answer: unknown, sinceMs: number) => void
}

export function startPolling({ path, hear }: Polling): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let heardAt = Date.now()
  let isStopped = false
  let isAsking = false
  let last: Answer | undefined

  async function ask() {
    clearTimeout(timer)
    if (isStopped || isAsking || document.hidden) return
    if (!navigator.onLine) return realtime.set(offline)
    isAsking = true
    try {
      const answer = await fetchAnswer(path, last)
      if (typeof answer === 'string') realtime.set(fail(realtime.read(), answer))
      else {
        last = answer
        realtime.set(connected)
        hear(answer.told, Date.now() - heardAt)
        heardAt = Date.now()
      }
    } catch {
      realtime.set(navigator.onLine ? fail(realtime.read(), null) : offline)
    }
    isAsking = false
    if (!isStopped && realtime.read().state !== 'disconnected') timer = setTimeout(ask, waitOf(realtime.read()))
  }

  const wake = () => void ask()
  const sleep = () => {
    clearTimeout(timer)
    realtime.set(offline)
  }
  document.addEventListener('visibilitychange', wake)
  addEventListener('online', wake)
  addEventListener('offline', sleep)
  wake()
  return () => {
    isStopped = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', wake)
    removeEventListener('online', wake)
    removeEventListener('offline', sleep)
  }
}

const TIMEOUT_MS = 10_000

type Answer = { told: unknown; etag: string | null }

/**
 * Fetches changes since `last`. The no-cache headers stop the browser from sending If-None-Match, so this function
 * sends it. Returns `last` if nothing changed, and a text after an error response.
 */
async function fetchAnswer(path: string, last: Answer | undefined): Promise<Answer | string> {
  const response = await fetch(path, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    cache: 'no-store',
    headers: { 'cache-control': 'no-cache', pragma: 'no-cache', ...(last?.etag && { 'if-none-match': last.etag }) },
    credentials: 'include',
  })
  if (response.status === 304 && last) return last
  if (!response.ok) return describeRefusal(response.status, response.statusText || 'no reason given')
  return { told: await response.json(), etag: response.headers.get('etag') }
}

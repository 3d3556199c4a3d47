/** The state of the page's connection. `failures` counts failed polls in a row. */
export type Realtime = {
  state: 'loading' | 'connected' | 'error' | 'disconnected'
  message: string | null
  failures: number
}

export const POLL_MS = 10_000
const RETRY_MS = 1_000
const RETRIES = 3

export const starting: Realtime = { state: 'loading', message: null, failures: 0 }
export const connected: Realtime = { state: 'connected', message: null, failures: 0 }
export const offline: Realtime = { state: 'disconnected', message: 'No internet connection', failures: 0 }

/** Returns the state after a failed poll. `told` is the server's reason, or null without a response. */
export function fail(before: Realtime, told: string | null): Realtime {
  const failures = before.failures + 1
  const isRetrying = failures <= RETRIES
  const message = isRetrying
    ? `Connection failed, retrying... (${failures}/${RETRIES})`
    : (told ?? 'Failed to fetch real-time data')
  return { state: 'error', message, failures }
}

/** Returns the milliseconds until the next poll: 1000, 2000 and 4000 for three retries, then the normal interval. */
export const waitOf = ({ failures }: Realtime): number =>
  failures > 0 && failures <= RETRIES ? RETRY_MS * 2 ** (failures - 1) : POLL_MS

export const describeRefusal = (status: number, text: string): string => `HTTP ${status}: ${text}`

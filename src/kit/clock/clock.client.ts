// The server's clock. Deadlines are the server's, and the clock of a device may be wrong by hours.

/** The largest difference that any answer has shown between the server's clock and the running time of this page, in milliseconds. */
let ahead = -Infinity

/** The header has whole seconds, cut off. */
const HALF_SECOND = 500

/**
 * Reads the time of an answer. It was sent before it arrived, and an answer from a cache is older still, so only the latest
 * estimate counts.
 */
export function noteServerTime(date: string | null) {
  const sentAt = Date.parse(date ?? '')
  if (!Number.isNaN(sentAt)) setServerTime(sentAt + HALF_SECOND)
}

export function setServerTime(now: number) {
  ahead = Math.max(ahead, now - performance.now())
}

/** The server's time in milliseconds; the device's until an answer has come. Use it for every deadline and countdown. */
export const serverNow = (): number => (ahead === -Infinity ? Date.now() : Math.round(performance.now() + ahead))

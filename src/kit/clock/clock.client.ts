// The server's clock. The server sets deadlines, and the clock of a device may be wrong by hours.

/** Largest known difference between the server's clock and `performance.now()`, in milliseconds. */
let ahead = -Infinity

/** Added because the Date header is rounded down to whole seconds. */
const HALF_SECOND = 500

/** Reads a Date header. Slow and cached responses have an older time, so the largest difference counts. */
export function noteServerTime(date: string | null) {
  const sentAt = Date.parse(date ?? '')
  if (!Number.isNaN(sentAt)) setServerTime(sentAt + HALF_SECOND)
}

export function setServerTime(now: number) {
  ahead = Math.max(ahead, now - performance.now())
}

/** Returns the server's time in milliseconds, for deadlines. Before the first response it is the device's time. */
export const serverNow = (): number => (ahead === -Infinity ? Date.now() : Math.round(performance.now() + ahead))

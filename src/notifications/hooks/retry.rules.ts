const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds to wait after each failed attempt: ten attempts in a little more than three days. */
export const RETRY_AFTER = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 18 * HOUR, 23 * HOUR]
export const MAX_ATTEMPTS = RETRY_AFTER.length + 1

export const retryAfter = (failed: number): number | null => RETRY_AFTER[failed - 1] ?? null

export const FAILURES_BEFORE_PAUSE = 3
const MAX_PAUSE = HOUR

export const pauseAfter = (failures: number): number =>
  failures < FAILURES_BEFORE_PAUSE ? 0 : Math.min(MAX_PAUSE, MINUTE * 2 ** (failures - FAILURES_BEFORE_PAUSE))

export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** A receiver returns this status to unsubscribe. */
export const GONE = 410

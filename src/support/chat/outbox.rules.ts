import { OTHER_ACCOUNT } from '../../kit/call.ts'
import { Failure, reasonOf } from '../../kit/failure.ts'

const RETRY_SECONDS = 15

/** Refused with a reason, or a retry after some seconds. Null: retry after the next sign-in. */
export type Fate = { reason: string } | { retryAfter: number | null }

export function fateOf(error: unknown): Fate {
  const { status = 0, code = '', retryAfter = RETRY_SECONDS } = error instanceof Failure ? error : {}
  if (status === 401 || code === OTHER_ACCOUNT) return { retryAfter: null }
  if (status >= 400 && status < 500 && status !== 429)
    return { reason: reasonOf(error) ?? 'The store did not accept it.' }
  return { retryAfter }
}

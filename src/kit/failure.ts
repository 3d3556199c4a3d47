/**
 * A refusal the caller may see; anything else that is thrown becomes a bare 500.
 * `code` is for programs ('price_changed'), `details` joins the JSON body, `retryAfter` is in seconds.
 */
export class Failure extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly details: Record<string, unknown> | undefined
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    message: string,
    code?: string,
    more: { details?: Record<string, unknown>; retryAfter?: number } = {},
  ) {
    super(message)
    this.name = 'Failure'
    this.status = status
    this.code = code
    this.details = more.details
    this.retryAfter = more.retryAfter
  }
}

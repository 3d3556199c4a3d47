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

/** For the operator, who starts the shop or runs a command: one line that names the mend. */
export const operatorFailure = (line: string) => new Failure(500, line)

/** The server's own words for a refusal; undefined when it gave none, or when `isFit` says not to show them. */
export function reasonOf(error: unknown, isFit: (failure: Failure) => boolean = () => true): string | undefined {
  const reason = error instanceof Failure && isFit(error) ? error.details?.message : undefined
  return typeof reason === 'string' ? reason : undefined
}

export const isConflict = ({ status }: Failure): boolean => status === 409

/** The caller can mend it, unlike a fault of the server. */
export const isRefusal = ({ status }: Failure): boolean => status < 500

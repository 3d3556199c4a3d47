/**
 * An error that the caller may see. The server hides any other error behind a 500. `code` is for programs
 * ('price_changed'), `details` are added to the JSON body, `retryAfter` is in seconds.
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

/** An error for the operator, who starts the shop or runs a command: one line that explains the fix. */
export const operatorFailure = (line: string) => new Failure(500, line)

/** Returns the server's message for a failed call. Undefined if there is none or if `isFit` returns false. */
export function reasonOf(error: unknown, isFit: (failure: Failure) => boolean = () => true): string | undefined {
  const reason = error instanceof Failure && isFit(error) ? error.details?.message : undefined
  return typeof reason === 'string' ? reason : undefined
}

export const isConflict = ({ status }: Failure): boolean => status === 409

/** Returns true if the caller caused the error, not the server. */
export const isRefusal = ({ status }: Failure): boolean => status < 500

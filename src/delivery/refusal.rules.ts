import { Failure, isConflict, reasonOf } from '../kit/failure.ts'

/** Returns true if the server refused to open a purchase, for example after a refund: the order on screen is stale. */
export const isRefused = (error: unknown): boolean =>
  error instanceof Failure && (error.status === 404 || error.status === 409)

export const describeRefusal = (error: unknown, otherwise: string): string =>
  error instanceof Failure && error.status === 404
    ? 'It isn’t available anymore. Your order says why.'
    : (reasonOf(error, isConflict) ?? otherwise)

import { Failure } from '../kit/failure.ts'

/** Whether the shop refused to open what was bought, as after a refund: the order is not what the page shows. */
export const isRefused = (error: unknown): boolean =>
  error instanceof Failure && (error.status === 404 || error.status === 409)

/** The shop's own words where it refused to open what was bought, otherwise what to say. */
export function tellRefusal(error: unknown, otherwise: string): string {
  if (!(error instanceof Failure)) return otherwise
  if (error.status === 404) return 'It isn’t available anymore. Your order says why.'
  const told = error.status === 409 ? error.details?.message : undefined
  return typeof told === 'string' ? told : otherwise
}

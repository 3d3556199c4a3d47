import { Failure } from '../kit/failure.ts'

const PAUSES_MS = [1000, 2000, 4000]

/** Our server knows that nothing was charged, for the provider is away: the order has ended, and is no order to repeat. */
export const isProviderAway = (error: unknown): boolean => error instanceof Failure && error.code === 'provider_away'

/** Nobody answered, or nobody who knows: what was asked for may have happened all the same. */
export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof Failure) || (error.status >= 500 && !isProviderAway(error))

/**
 * Sends a call that is safe to repeat, and repeats it while the answer is lost: money may have moved, so a lost answer is
 * not a refusal. Throws what the last try threw.
 */
export async function askAgain<T>(send: () => Promise<T>, pauses = PAUSES_MS): Promise<T> {
  for (const pause of pauses) {
    try {
      return await send()
    } catch (error) {
      if (!isUnanswered(error)) throw error
      await new Promise((done) => setTimeout(done, pause))
    }
  }
  return send()
}

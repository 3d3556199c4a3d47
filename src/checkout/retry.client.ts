import { Failure } from '../kit/failure.ts'

const PAUSES_MS = [1000, 2000, 4000]

/** The provider is unavailable, so nothing was charged and the order failed. Do not retry. */
export const isProviderAway = (error: unknown): boolean => error instanceof Failure && error.code === 'provider_away'

export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof Failure) || (error.status >= 500 && !isProviderAway(error))

export const isLost = (error: unknown): boolean => !(error instanceof Failure)

export async function retryUnanswered<T>(send: () => Promise<T>, pauses = PAUSES_MS): Promise<T> {
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

import { Failure } from '../kit/failure.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import type { SharedLimiter } from '../kit/serve/sharedLimit.server.ts'
import type { AssistantConfig } from './assistant.settings.server.ts'
import { withoutSecrets } from './model/secrets.rules.ts'
import { openModel, type Question } from './model.server.ts'

// The language model for AI Analyze. It has a separate budget, so that sellers cannot use up the budget of staff.

/** AI Analyze has its own suggestion, so it does not wait long for a better one. */
const TIMEOUT_MS = 8_000
const PER_SELLER: Limit = { per: 'account', count: 20, seconds: 24 * 3600, isShared: true }

/** Throws a Failure on a timeout, or if the daily budget of the seller or the hourly budget of the shop is spent. */
export function openAnalysisModel(
  settings: NonNullable<AssistantConfig['ai']>,
  limiter: SharedLimiter,
  noteCost?: (microdollars: number) => Promise<unknown>,
) {
  const patienceMs = Math.min(TIMEOUT_MS, settings.patienceMs)
  const model = openModel({ ...settings, patienceMs }, limiter, {
    budget: 'model analysis',
    ...(noteCost && { noteCost }),
  })
  return async ({ task, data, userId }: Question & { userId: string }): Promise<string> => {
    const own = `model analysis ${userId}`
    const wait = await limiter.take(own, PER_SELLER)
    if (wait > 0)
      throw new Failure(429, 'You have asked the model too often today.', 'model_budget', { retryAfter: wait })
    try {
      return await model.ask({ task, data: withoutSecrets(data) })
    } catch (error) {
      // The shop's budget was spent, so the model received no question.
      if (error instanceof Failure && error.code === 'model_budget') await limiter.giveBack(own, PER_SELLER)
      throw error
    }
  }
}

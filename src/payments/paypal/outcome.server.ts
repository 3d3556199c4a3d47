import { toDecimal } from '../../kit/money.ts'
import { Unanswered, type Unknown } from '../provider.ts'

/** PayPal said no, and nothing happened there. `issue` is its reason ('INSTRUMENT_DECLINED'). */
export class Refused extends Error {
  readonly issue: string
  readonly body: unknown
  constructor(issue: string, body?: unknown) {
    super(`PayPal refused: ${issue}`)
    this.issue = issue
    this.body = body
  }
}

/** PayPal is still working on an earlier request with the same id, whose effect is unknown. */
export class UnderWay extends Unanswered {}

/** PayPal remembers a request's id for six hours; a later repeat could move money again. */
export const REPEAT_MINUTES = 5 * 60

export const amountOf = (cents: number) => ({ currency_code: 'USD', value: toDecimal(cents) })

export const unclear = (why: string): Unknown => ({ kind: 'unknown', isAway: false, why })

export async function orUnknown<T>(work: Promise<T>): Promise<T | Unknown> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    return { kind: 'unknown', isAway: !(error instanceof UnderWay), why: error.message }
  }
}

import { toDecimal } from '../../kit/money.ts'

/** PayPal rejected the request and moved no money. `issue` is its reason ('INSTRUMENT_DECLINED'). */
export class Refused extends Error {
  readonly issue: string
  readonly body: unknown
  constructor(issue: string, body?: unknown) {
    super(`PayPal refused: ${issue}`)
    this.issue = issue
    this.body = body
  }
}

/** PayPal deduplicates a request id for six hours. A later repeat could move money twice. */
export const REPEAT_MINUTES = 5 * 60

export const amountOf = (cents: number) => ({ currency_code: 'USD', value: toDecimal(cents) })

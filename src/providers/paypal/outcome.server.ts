import { toDecimal } from '../../kit/money.ts'

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

/** PayPal remembers a request's id for six hours; a later repeat could move money again. */
export const REPEAT_MINUTES = 5 * 60

export const amountOf = (cents: number) => ({ currency_code: 'USD', value: toDecimal(cents) })

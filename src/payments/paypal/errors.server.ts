import { Unanswered } from '../provider.ts'

/** PayPal said no, and nothing happened there. `issue` is its reason ('INSTRUMENT_DECLINED'). */
export class Refused extends Error {
  readonly issue: string
  constructor(issue: string) {
    super(`PayPal refused: ${issue}`)
    this.issue = issue
  }
}

/** PayPal is still working on an earlier request with the same id, whose effect is unknown. */
export class UnderWay extends Unanswered {}

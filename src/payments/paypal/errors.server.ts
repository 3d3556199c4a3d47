/** The provider said no: nothing happened there. `issue` is its word for why ('INSTRUMENT_DECLINED'). */
export class Refused extends Error {
  readonly issue: string
  constructor(issue: string) {
    super(`the payment provider refused: ${issue}`)
    this.issue = issue
  }
}

/** No answer, or a broken one: whether anything happened is unknown until the provider is asked again. */
export class Unanswered extends Error {}

/** It answers, but is still at work on an earlier call with the same request id: what that did is unknown, too. */
export class UnderWay extends Unanswered {}

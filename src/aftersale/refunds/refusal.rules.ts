/** The request never arrived, and it is too old to send again. */
const NEVER_MADE = 'NEVER_MADE'

const REFUSALS: Record<string, string> = {
  [NEVER_MADE]: 'The request never reached the payment provider, and nothing went back. Ask for it anew.',
  CAPTURE_FULLY_REFUNDED: 'All of it was given back already, in the provider’s dashboard.',
  REFUND_AMOUNT_EXCEEDED: 'Less than that is left: some was given back in the provider’s dashboard.',
  REFUND_TIME_LIMIT_EXCEEDED: 'The payment is too old to be given back there. Agree on another way with the buyer.',
  REFUND_TIME_EXCEEDED_FOR_PAYMENT_SOURCE:
    'The payment is too old for what it was paid with. Agree on another way with the buyer.',
  REFUND_FAILED_INSUFFICIENT_FUNDS: 'The shop’s account there does not hold enough. Fill it, then try again.',
  MAX_NUMBER_OF_REFUNDS_EXCEEDED: 'It takes no more refunds of this payment. Ask the provider.',
  TRANSACTION_DISPUTED: 'The buyer disputes the payment there. Wait for the end of the dispute.',
  REORGANISED: 'The chain took the payment back after the delivery, so there is nothing to give back.',
  REFUND_NOT_ALLOWED: 'It does not allow a refund of this payment. Ask the provider.',
}

const SETTLED = 'SETTLED: '

export const describeRefusal = (reason: string | null): string =>
  reason?.startsWith(SETTLED)
    ? `Staff settled it as not made: ${reason.slice(SETTLED.length)}`
    : reason === null
      ? 'It did not say why.'
      : (REFUSALS[reason] ?? `Its word for why: ${reason}.`)

export const describeFailure = (sum: string, reason: string | null): string =>
  `${reason === NEVER_MADE ? `${sum} was not given back.` : `The payment provider refused to give ${sum} back.`} ${describeRefusal(reason)}`

import { toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { CREDIT } from '../../payments/credit.contract.ts'
import { methodLabel } from '../../payments/methods.ts'
import { effectOf } from './refund.rules.ts'
import type { BuyerRefundOffer } from './selfRefund.contract.ts'
import { describeWhyNot } from './selfRefund.rules.ts'

// What the buyer reads before a refund. Pure, from the shop's offer and the chosen lines.

/** Lines that are refunded at once, and lines that staff look at first. */
export type RefundPlan = { now: string[]; later: string[]; nowCents: number; texts: string[] }

export function planOf(offer: BuyerRefundOffer | null, chosen: string[]): RefundPlan {
  if (!offer || chosen.length === 0) return { now: [], later: chosen, nowCents: 0, texts: [] }
  const lineOf = (id: string) => offer.lines.find((line) => line.id === id)
  const now = chosen.filter((id) => lineOf(id)?.whyNot === null)
  const later = chosen.filter((id) => !now.includes(id))
  const nowCents = now.reduce((cents, id) => cents + toCents(lineOf(id)!.amount), 0)
  const why = new Set(later.map((id) => describeWhyNot(lineOf(id)?.whyNot ?? 'look', offer.days)))
  return { now, later, nowCents, texts: [...(now.length > 0 ? describeNow(offer, nowCents) : []), ...why] }
}

function describeNow(offer: BuyerRefundOffer, cents: number): string[] {
  const [paidCents, leftCents, creditCents, bonusCents] = [offer.paid, offer.left, offer.credit, offer.bonus].map(
    toCents,
  ) as [number, number, number, number]
  const isCredit = offer.to === CREDIT
  const terms = { paidCents, leftCents, creditCents, bonusCents, isCredit, isUnused: false }
  const effect = effectOf(terms, cents, true)
  return [
    ...(effect.moneyCents > 0
      ? [`${usd(effect.moneyCents)} goes back to ${methodLabel(offer.to)} at once, and shows there in a few days.`]
      : []),
    ...(effect.creditCents > 0 ? [`${usd(effect.creditCents)} is store credit again.`] : []),
    ...(effect.bonusCents > 0 ? [`${usd(effect.bonusCents)} of your first-purchase bonus is taken back.`] : []),
    'You can’t open it afterwards.',
  ]
}

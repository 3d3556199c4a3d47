import { toCents } from '../../kit/money.ts'
import { endOf } from '../../localisation/sentence.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { CREDIT } from '../../payments/credit.contract.ts'
import { buyerLabel } from '../../payments/methods.ts'
import { centsOfCopies } from '../../payments/refunds/returns.rules.ts'
import { effectOf } from './refund.rules.ts'
import type { BuyerRefundOffer } from './selfRefund.contract.ts'
import { describeWhyNot } from './selfRefund.rules.ts'

type OfferLine = BuyerRefundOffer['lines'][number]

export type Chosen = Record<string, number>
type Copies = { id: string; copies: number }

/** `now`: refunded at once. `later`: reviewed by staff. */
export type RefundPlan = { now: Copies[]; later: Copies[]; nowCents: number; texts: string[] }

export function planOf(offer: BuyerRefundOffer | null, chosen: Chosen): RefundPlan {
  const wanted = Object.entries(chosen).flatMap(([id, copies]) => (copies > 0 ? [{ id, copies }] : []))
  if (!offer || wanted.length === 0) return { now: [], later: wanted, nowCents: 0, texts: [] }
  const lineOf = (id: string) => offer.lines.find((line) => line.id === id)
  const now = wanted.filter(({ id, copies }) => copies <= (lineOf(id)?.atOnce ?? 0))
  const later = wanted.filter((one) => !now.includes(one))
  const nowCents = now.reduce((cents, { id, copies }) => cents + centsOf(lineOf(id), copies), 0)
  const count = now.reduce((sum, { copies }) => sum + copies, 0)
  const why = later.flatMap(({ id }) => describeLater(lineOf(id), offer.days))
  return { now, later, nowCents, texts: [...(count > 0 ? describeNow(offer, nowCents, count) : []), ...new Set(why)] }
}

export const centsOf = (line: OfferLine | undefined, copies: number): number =>
  line
    ? centsOfCopies(
        {
          ...{ grossCents: toCents(line.paid), returnedCents: toCents(line.paid) - toCents(line.amount) },
          ...{ quantity: line.quantity, returnedQuantity: line.returned },
        },
        copies,
      )
    : 0

function describeLater(line: OfferLine | undefined, days: number): string[] {
  const why = line?.whyNot ?? 'look'
  const { claimed, atOnce = 0, quantity = 1 } = line ?? {}
  const fewer = atOnce > 0 ? ` ${plural(atOnce, 'copy is', 'copies are')} refunded at once: choose ${atOnce}.` : ''
  if (!claimed || claimed.copies === 0)
    return [
      why === 'used' && quantity > 1
        ? `You have opened one copy, so we look at it first.${fewer}`
        : describeWhyNot(why, days) + fewer,
    ]
  const names = new Intl.ListFormat('en').format(claimed.names)
  const what = quantity > 1 ? plural(claimed.copies, 'copy', 'copies') : 'your gift'
  const first = why === 'used' || why === 'claimed' ? ', so we look at it first' : ''
  return [
    `${names || 'Another person'} claimed ${claimed.isOpened ? 'and opened ' : ''}${what}${first}.${fewer}`,
    `A refund takes ${claimed.copies > 1 ? 'them' : 'it'} away from ${endOf(names || 'that person')}`,
    ...(first ? [] : [describeWhyNot(why, days)]),
  ]
}

function describeNow(offer: BuyerRefundOffer, cents: number, copies: number): string[] {
  const [paidCents, leftCents, creditCents, bonusCents] = [offer.paid, offer.left, offer.credit, offer.bonus].map(
    toCents,
  ) as [number, number, number, number]
  const isCredit = offer.to === CREDIT
  const terms = { paidCents, leftCents, creditCents, bonusCents, isCredit, isUnused: false }
  const effect = effectOf(terms, cents, true)
  return [
    ...(effect.moneyCents > 0
      ? [`${usd(effect.moneyCents)} goes back to ${describeMethod(offer)} at once, and shows there in a few days.`]
      : []),
    ...(effect.creditCents > 0 ? [`${usd(effect.creditCents)} is store credit again.`] : []),
    ...(effect.bonusCents > 0 ? [`${usd(effect.bonusCents)} of your first-purchase bonus is taken back.`] : []),
    `You can’t open ${copies > 1 ? 'them' : 'it'} afterwards.`,
  ]
}

/** Describes the destination of the money: 'your Visa ending in 4242', 'your card', or the name of another method. */
const describeMethod = ({ to, card }: Pick<BuyerRefundOffer, 'to' | 'card'>) => {
  if (card) return `your ${card.replace(/^Card /, 'card ')}`
  const label = buyerLabel(to)
  return label === 'Card' ? 'your card' : label
}

import { formatMoment } from '../../localisation/dates.rules.ts'
import type { CodeCase } from './cases.contract.ts'
import type { CodeReport } from './report.contract.ts'

export function describeReport({ state, answerBy, words }: CodeReport): string {
  const said = words ? ` “${words}”` : ''
  return {
    seller: `You reported a code. The seller answers by ${formatMoment(answerBy)}.`,
    staff: 'You reported a code. Our staff decide.',
    replaced: `You reported a code, and it was replaced.${said}`,
    refunding: `You reported a code. Its refund is on the way.${said}`,
    refunded: `You reported a code, and its money was returned.${said}`,
    rejected: `You reported a code, and we couldn’t accept it.${said}`,
    over: 'You reported a code that was taken back since.',
  }[state]
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

/** The owner of a code: the recipient of a gift, otherwise the buyer. */
export const ownerOf = ({ isGift }: Pick<CodeCase, 'isGift'>) => (isGift ? 'recipient' : 'buyer')

/** Formats 'This buyer reported 3 times in 90 days, this seller was reported once.' */
export const describeCounts = ({ counts: { buyer, seller }, isGift }: Pick<CodeCase, 'counts' | 'isGift'>): string =>
  `This ${ownerOf({ isGift })} reported ${times(buyer)} in 90 days, this seller was reported ${times(seller)}.`

/** Formats 'The buyer saw it 3 times, first on Nov 3, 10:12, last on Nov 5, 09:00.' Empty without a recorded reveal. */
export function describeReveals({ reveals, isGift }: Pick<CodeCase, 'reveals' | 'isGift'>): string {
  const { count, firstAt, lastAt } = reveals
  if (count === 0 || firstAt === null || lastAt === null) return ''
  const who = isGift ? 'The recipient of the gift' : 'The buyer'
  if (count === 1) return `${who} saw it once, on ${formatMoment(firstAt)}.`
  return `${who} saw it ${times(count)}, first on ${formatMoment(firstAt)}, last on ${formatMoment(lastAt)}.`
}

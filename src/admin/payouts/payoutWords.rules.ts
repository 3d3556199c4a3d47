import { toCents } from '../../kit/money.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import type { SellerFacts } from '../../payments/payouts/payouts.contract.ts'

/** 'First payout. Member since Mar 4, 2026. 12 sales in 90 days, 8.3% refunded. 1 disputed sale' */
export function describeSeller({ isFirst, since, sales, sold, refunded, disputed }: SellerFacts): string {
  const cents = toCents(sold)
  const share = cents > 0 ? `, ${((toCents(refunded) / cents) * 100).toFixed(1)}% refunded` : ''
  return [
    isFirst && 'First payout',
    `Member since ${formatDay(since)}`,
    `${plural(sales, 'sale')} in 90 days${share}`,
    disputed > 0 && plural(disputed, 'disputed sale'),
  ]
    .filter(Boolean)
    .join('. ')
}

const OUTCOMES: Partial<Record<SellerFacts['last'][number]['state'], string>> = {
  sent: 'sent',
  failed: 'failed',
  returned: 'returned',
}

/** 'Last payouts: $19.00 sent Nov 2, 2026; $5.00 failed Oct 1, 2026'. Empty without an ended payout. */
export function describeLast(last: SellerFacts['last']): string {
  if (last.length === 0) return ''
  const texts = last.map(
    ({ amount, state, at }) => `${usd(toCents(amount))} ${OUTCOMES[state] ?? state} ${formatDay(at)}`,
  )
  return `Last ${last.length === 1 ? 'payout' : 'payouts'}: ${texts.join('; ')}`
}

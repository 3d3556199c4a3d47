import { toCents } from '../../kit/money.ts'
import { plural } from '../../localisation/plural.rules.ts'
import type { QueuedPayout } from '../../payments/payouts/payouts.contract.ts'

/** 'First payout. 12 sales in 90 days, 8.3% refunded. 1 disputed sale' */
export function describeSeller({ isFirst, sales, sold, refunded, disputed }: QueuedPayout['about']): string {
  const cents = toCents(sold)
  const share = cents > 0 ? `, ${((toCents(refunded) / cents) * 100).toFixed(1)}% refunded` : ''
  return [
    isFirst && 'First payout',
    `${plural(sales, 'sale')} in 90 days${share}`,
    disputed > 0 && plural(disputed, 'disputed sale'),
  ]
    .filter(Boolean)
    .join('. ')
}

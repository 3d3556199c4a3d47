import { toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import type { Order } from '../../purchases/orders.contract.ts'

const MUCH_CENTS = 1000_00
const MANY = 10

export const copiesOf = (items: { quantity: number }[]): number =>
  items.reduce((sum, { quantity }) => sum + quantity, 0)

export const asksFirst = (items: { quantity: number }[], total: string): boolean =>
  toCents(total) > MUCH_CENTS || items.some(({ quantity }) => quantity > MANY)

export type QuickBuyTerms = { method: string | undefined; total: string; credit: string }

/** What a press pays with, where no provider asks. Empty without a saved method. */
export function describeQuickBuy({ method, total, credit }: QuickBuyTerms): string {
  const [creditCents, dueCents] = [toCents(credit), toCents(total) - toCents(credit)]
  if (toCents(total) === 0) return 'There is nothing to pay.'
  if (dueCents === 0) return 'Your store credit pays all of it.'
  if (!method) return ''
  return creditCents === 0
    ? `Quick Buy charges ${method}.`
    : `Quick Buy uses ${usd(creditCents)} of store credit and charges ${method} ${usd(dueCents)}.`
}

/** Returns the text of the toast after a Quick Buy. The specification defines its title. */
export function describePlaced({ status, hold }: Pick<Order, 'status' | 'hold'>, hasWallet: boolean): string {
  if (status === 'completed') return 'Your order has been placed successfully.'
  if (hold || hasWallet) return 'Your payment isn’t complete yet. Your order says what happens next.'
  return 'Payment is due: pay within 30 minutes to get your goods.'
}

export function describeCharge({ method, total, credit }: QuickBuyTerms): string {
  const [creditCents, dueCents] = [toCents(credit), toCents(total) - toCents(credit)]
  if (dueCents === 0) return 'Your store credit covers all of it right away.'
  if (creditCents === 0) return `${method} will be charged right away.`
  return `Store credit covers ${usd(creditCents)}. ${method} will be charged ${usd(dueCents)} right away.`
}

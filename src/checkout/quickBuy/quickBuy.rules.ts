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

export function describeQuickBuy({ method, total, credit }: QuickBuyTerms): string {
  const [creditCents, dueCents] = [toCents(credit), toCents(total) - toCents(credit)]
  if (toCents(total) === 0) return 'There is nothing to pay.'
  if (dueCents === 0) return 'Quick Buy uses your store credit.'
  if (creditCents === 0)
    return method
      ? `Quick Buy charges ${method}.`
      : 'Quick Buy holds your order for 30 minutes. Pay for it from your orders.'
  return method
    ? `Quick Buy uses ${usd(creditCents)} of store credit and charges ${method} ${usd(dueCents)}.`
    : `Quick Buy holds your order and its ${usd(creditCents)} of store credit for 30 minutes. Pay the rest from your orders.`
}

/** Returns the text of the toast after a Quick Buy. The specification defines its title. */
export function describePlaced({ status, hold }: Pick<Order, 'status' | 'hold'>, hasWallet: boolean): string {
  if (status === 'completed') return 'Your order has been placed successfully.'
  if (hold || hasWallet) return 'Your payment isn’t complete yet. Your order says what happens next.'
  return 'Payment is due: pay within 30 minutes to get your goods.'
}

export const paysNow = ({ method, total, credit }: QuickBuyTerms): boolean =>
  method !== undefined || toCents(total) === toCents(credit)

export function describeCharge({ method, total, credit }: QuickBuyTerms): string {
  const [creditCents, dueCents] = [toCents(credit), toCents(total) - toCents(credit)]
  if (dueCents === 0) return 'Your store credit covers all of it right away.'
  const first = creditCents > 0 ? `Store credit covers ${usd(creditCents)}. ` : ''
  const rest = creditCents > 0 ? ` ${usd(dueCents)}` : ''
  return first + (method ? `${method} will be charged${rest} right away.` : `You’ll have 30 minutes to pay.`)
}

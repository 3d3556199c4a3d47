import type { CartItem } from '../cart/cart.contract.ts'
import { lineCents } from '../cart/cart.rules.ts'
import { toCents } from '../kit/money.ts'
import { BonusPromise } from '../payments/BonusPromise.tsx'
import type { Credit } from '../payments/credit.contract.ts'
import { bonusCents } from '../payments/credit.rules.ts'

type CartBonusProps = {
  items: CartItem[]
  cuts: number[]
  creditCents: number
  bonus: NonNullable<Credit['bonus']>
  /** Undefined if store credit pays all. */
  method: string | undefined
}

export function CartBonus({ items, cuts, creditCents, bonus, method }: CartBonusProps) {
  const lines = items.map((line, i) => ({
    earns: line.product.earns !== false && !bonus.excludedIds.includes(line.product.categoryId),
    cents: lineCents(line) - (cuts[i] ?? 0),
    isOwn: line.product.isOwn ?? false,
  }))
  const terms = { percent: bonus.percent, capCents: toCents(bonus.cap) }
  const paidCents = lines.reduce((sum, { cents }) => sum + cents, 0) - creditCents
  return <BonusPromise bonus={bonus} earnedCents={bonusCents(lines, paidCents, terms)} method={method} />
}

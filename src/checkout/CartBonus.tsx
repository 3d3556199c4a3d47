import type { CartItem } from '../cart/cart.contract.ts'
import { cartCents, lineCents } from '../cart/cart.rules.ts'
import { toCents } from '../kit/money.ts'
import { BonusPromise } from '../payments/BonusPromise.tsx'
import type { Credit } from '../payments/credit.contract.ts'
import { bonusCents } from '../payments/credit.rules.ts'

type CartBonusProps = { items: CartItem[]; creditCents: number; bonus: NonNullable<Credit['bonus']> }

/** What the cart would earn as a first purchase. */
export function CartBonus({ items, creditCents, bonus }: CartBonusProps) {
  const lines = items.map((line) => ({
    earns: !bonus.excludedIds.includes(line.product.categoryId),
    cents: lineCents(line),
    isOwn: line.product.isOwn ?? false,
  }))
  const terms = { percent: bonus.percent, capCents: toCents(bonus.cap) }
  return <BonusPromise bonus={bonus} earnedCents={bonusCents(lines, cartCents(items) - creditCents, terms)} />
}

import { hash } from 'node:crypto'
import type { Db, Tx } from '../kit/database.server.ts'
import {
  BONUS_HOLD_DAYS,
  type BonusTerms,
  bonusCents,
  type BoughtLine,
  isPayerKnown,
  takenBackCents,
} from './credit.rules.ts'
import { FIRST_PURCHASE, moveCredit } from './credit.server.ts'
import * as statements from './credit.statements.server.ts'
import { paidCents } from './line.rules.ts'
import type { Payment } from './payments.store.server.ts'
import { only, required } from '../kit/values/required.ts'

// The bonus on an account's first purchase. An account earns it once, even if the order is refunded.

type Bought = { id: string; userId: string }
type Earning = {
  order: Bought
  lines: SoldLine[]
  payment: Payment
  payerId: string | null
  identifiesPayer: boolean
}
type SoldLine = { productId: string; sellerId: string; priceCents: number; quantity: number; discountCents: number }

/**
 * Grants the bonus if this is the buyer's first order paid with money. Returns the cents. Requires a verified address,
 * and a known payer who earned no bonus on another account. The caller holds the lock of
 * the completed order.
 */
export async function earnBonus(
  tx: Tx,
  terms: BonusTerms,
  { order, lines, payment, payerId, identifiesPayer }: Earning,
): Promise<number> {
  if (terms.percent === 0 || !(await canEarn(tx, order))) return 0
  const isKnown = isPayerKnown({ identifiesPayer, payerId, mode: payment.mode })
  const earned = isKnown ? bonusCents(await withCategories(tx, order, lines), payment.amountCents, terms) : 0
  const note = (bonus: { amountCents: number; payer: string | null }) =>
    tx
      .insertInto('creditBonuses')
      .values({ userId: order.userId, orderId: order.id, ...bonus })
      // two first orders, or two accounts of one payer, can settle at once: only the first earns the bonus
      .onConflict((conflict) => conflict.doNothing())
      .returning('userId')
      .executeTakeFirst()
  const isGranted = earned > 0 && (await note({ amountCents: earned, payer: payerHash(payment, payerId) }))
  if (!isGranted) {
    await note({ amountCents: 0, payer: null })
    return 0
  }
  await moveCredit(
    tx,
    { userId: order.userId, kind: 'earned', amountCents: earned, orderId: order.id },
    [{ account: FIRST_PURCHASE, amountCents: earned }],
    payment.id,
  )
  return earned
}

/** Takes back the refunded share of the bonus and returns the cents. A spent bonus leaves a debt. */
export async function takeBackBonus(tx: Tx, order: Bought, payment: Payment, refundedCents: number): Promise<number> {
  const bonus = await tx
    .selectFrom('creditBonuses')
    .select(['amountCents', 'takenBackCents'])
    .where('orderId', '=', order.id)
    .forUpdate()
    .executeTakeFirst()
  if (!bonus) return 0
  const taken = takenBackCents(bonus.amountCents, refundedCents, payment.amountCents)
  const more = taken - bonus.takenBackCents
  if (more <= 0) return 0
  await tx.updateTable('creditBonuses').set({ takenBackCents: taken }).where('orderId', '=', order.id).execute()
  await moveCredit(
    tx,
    { userId: order.userId, kind: 'taken_back', amountCents: -more, orderId: order.id },
    [{ account: FIRST_PURCHASE, amountCents: -more }],
    payment.id,
  )
  return more
}

export async function heldCents(tx: Tx, userId: string): Promise<number> {
  const [held] = await statements.readHeld(tx, { userId, holdDays: BONUS_HOLD_DAYS })
  return held?.cents ?? 0
}

export async function bonusOf(db: Db | Tx, orderId: string): Promise<number> {
  const bonus = await db
    .selectFrom('creditBonuses')
    .select('amountCents')
    .where('orderId', '=', orderId)
    .executeTakeFirst()
  return bonus?.amountCents ?? 0
}

const canEarn = async (tx: Tx, { id: orderId, userId }: Bought): Promise<boolean> =>
  only(await statements.canEarn(tx, { orderId, userId })).canEarn

const payerHash = ({ provider, mode }: Payment, payerId: string | null): string | null =>
  payerId === null ? null : hash('sha256', `${provider}:${mode}:${payerId}`, 'hex')

async function withCategories(tx: Tx, { userId }: Bought, lines: SoldLine[]): Promise<BoughtLine[]> {
  const ids = lines.map(({ productId }) => productId)
  const products = await tx
    .selectFrom('products')
    .innerJoin('categories', 'categories.id', 'products.categoryId')
    .select(['products.id', 'categories.earnsBonus'])
    .where('products.id', 'in', ids)
    .execute()
  const earning = new Map(products.map(({ id, earnsBonus }) => [id, earnsBonus]))
  return lines.map((line) => ({
    earns: required(earning.get(line.productId), 'the category of a line'),
    cents: paidCents(line),
    isOwn: line.sellerId === userId,
  }))
}

import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/database.server.ts'
import { type BonusTerms, bonusCents, type BoughtLine, takenBackCents } from './credit.rules.ts'
import { FIRST_PURCHASE, moveCredit } from './credit.server.ts'
import type { Payment } from './payments.store.server.ts'

// The bonus on an account's first purchase: earned once, whatever happens to the order afterwards.

type Bought = { id: string; userId: string }
type SoldLine = { productId: string; sellerId: string; priceCents: number; quantity: number }
type Payer = { payerId: string | undefined; vaultId: string | undefined }

/**
 * Gives the bonus if this order is the first that its customer paid with money; answers what was earned, in cents. The
 * address must be verified, and the payer must not have earned one on another account. The order is locked and completed.
 */
export async function earnBonus(
  tx: Tx,
  terms: BonusTerms,
  { order, lines, payment, payer }: { order: Bought; lines: SoldLine[]; payment: Payment; payer: Payer },
): Promise<number> {
  if (terms.percent === 0 || !(await isFirstPurchase(tx, order.userId, order.id))) return 0
  const user = await tx
    .selectFrom('users')
    .select('emailVerified')
    .where('id', '=', order.userId)
    .executeTakeFirstOrThrow()
  if (!user.emailVerified) return 0
  const earned = bonusCents(await withCategories(tx, order, lines), payment.amountCents, terms)
  const note = (bonus: { amountCents: number; payer: string | null }) =>
    tx
      .insertInto('creditBonuses')
      .values({ userId: order.userId, orderId: order.id, ...bonus })
      // two first orders that settle at once, or a payer who settles on two accounts: the first to come has it
      .onConflict((conflict) => conflict.doNothing())
      .returning('userId')
      .executeTakeFirst()
  const isGranted = earned > 0 && (await note({ amountCents: earned, payer: payerName(payment, payer) }))
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

/** Takes back the refunded share of what the order earned; answers how much. A spent bonus leaves a debt. */
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

/** What an order earned as its customer's first purchase, in cents. */
export async function bonusOf(db: Db | Tx, orderId: string): Promise<number> {
  const bonus = await db
    .selectFrom('creditBonuses')
    .select('amountCents')
    .where('orderId', '=', orderId)
    .executeTakeFirst()
  return bonus?.amountCents ?? 0
}

/** Whether the customer has paid nothing with money before; an order that credit paid whole is no purchase of this kind. */
export async function isFirstPurchase(db: Db | Tx, userId: string, orderId: string | null = null): Promise<boolean> {
  const { rows } = await sql<{ isUsed: boolean }>`SELECT EXISTS (
      SELECT FROM credit_bonuses WHERE user_id = ${userId}::uuid
      UNION ALL
      SELECT FROM orders WHERE user_id = ${userId}::uuid AND id IS DISTINCT FROM ${orderId}::uuid
        AND completed_at IS NOT NULL AND credit_cents < total_cents) AS "isUsed"`.execute(db)
  return !rows[0]!.isUsed
}

/** A hash of the provider's payer id, or of the saved wallet's id; null when the provider names neither. */
function payerName({ provider, mode }: Payment, { payerId, vaultId }: Payer): string | null {
  const id = payerId ?? vaultId
  return id ? hash('sha256', `${provider}:${mode}:${id}`, 'hex') : null
}

async function withCategories(tx: Tx, { userId }: Bought, lines: SoldLine[]): Promise<BoughtLine[]> {
  const ids = lines.map(({ productId }) => productId)
  const products = await tx.selectFrom('products').select(['id', 'categoryId']).where('id', 'in', ids).execute()
  const categories = new Map(products.map(({ id, categoryId }) => [id, categoryId]))
  return lines.map((line) => ({
    categoryId: categories.get(line.productId)!,
    cents: line.priceCents * line.quantity,
    isOwn: line.sellerId === userId,
  }))
}

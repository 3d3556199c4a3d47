import type { Db } from '../kit/database.server.ts'
import { handle, type Route } from '../kit/handle.server.ts'
import { toDecimal } from '../kit/money.ts'
import { heldBonus, isFirstPurchase, isVerified } from './bonus.server.ts'
import { type Bonus, type Credit, getCredit, MANY_ENTRIES } from './credit.contract.ts'
import { bonusRule, bonusTitle, debtCents, spendableCents } from './credit.rules.ts'
import { readBalance } from './credit.server.ts'
import type { PaymentsConfig } from './payments.settings.server.ts'

/** The buyer's store credit. */
export function creditRoutes({ bonus: terms }: PaymentsConfig): Route[] {
  return [
    handle(getCredit, async (_, { user, db }) => {
      const [balance, entries, bonus, held] = await Promise.all([
        readBalance(db, user.id),
        readEntries(db, user.id),
        readOffer(db, terms, user.id),
        heldBonus(db, user.id),
      ])
      return {
        balance: toDecimal(spendableCents(balance)),
        debt: toDecimal(debtCents(balance)),
        held: held && { amount: toDecimal(held.cents), until: held.until.toISOString() },
        bonus,
        entries,
      }
    }),
  ]
}

async function readEntries(db: Db, userId: string): Promise<Credit['entries']> {
  const rows = await db
    .selectFrom('creditEntries')
    .select(['id', 'kind', 'amountCents', 'orderId', 'why', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(MANY_ENTRIES)
    .execute()
  return rows.map(({ id, amountCents, createdAt, ...entry }) => ({
    ...entry,
    id: String(id),
    amount: toDecimal(amountCents),
    at: createdAt.toISOString(),
  }))
}

async function readOffer(db: Db, terms: PaymentsConfig['bonus'], userId: string): Promise<Credit['bonus']> {
  if (terms.percent === 0 || !(await isFirstPurchase(db, userId))) return null
  return { ...(await describe(db, terms)), needsVerifiedEmail: !(await isVerified(db, userId)) }
}

async function describe(db: Db, { percent, capCents, excluded }: PaymentsConfig['bonus']): Promise<Bonus> {
  const names = await db.selectFrom('categories').select(['id', 'name']).orderBy('position').execute()
  return {
    percent,
    cap: toDecimal(capCents),
    excludedIds: excluded,
    excluded: names.filter(({ id }) => excluded.includes(id)).map(({ name }) => name),
  }
}

/** The bonus that signed-out visitors read about; null in a shop without one. */
export async function promiseOf(db: Db, { bonus: terms }: PaymentsConfig) {
  return terms.percent === 0 ? null : { title: bonusTitle(terms.percent), rule: bonusRule(await describe(db, terms)) }
}

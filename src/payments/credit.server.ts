import { sql } from 'kysely'
import { recordAct } from '../identity/audit/audit.server.ts'
import { type Db, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { usd } from '../localisation/usd.rules.ts'
import type { CreditKind } from './credit.contract.ts'
import { spendableCents } from './credit.rules.ts'
import { recordTransfer } from './ledger/transfers.store.server.ts'

// Store credit is money that the shop owes the buyer. Lock order: order, payment, codes, credit. A transaction that
// holds a credit row never waits for another lock.

type Entry = { account: string; amountCents: number }
type Movement = {
  userId: string
  kind: CreditKind
  /** Positive: credit received. Negative: credit spent. */
  amountCents: number
  orderId: string | null
  why?: string
}

const creditAccount = (userId: string) => `credit:${userId}`
/** Holds the credit reserved by pending orders. */
export const HELD = 'credit:held'
export const FIRST_PURCHASE = 'promotion:first_purchase'
const GOODWILL = 'promotion:goodwill'

export const CREDIT_CHANGED = new Failure(
  409,
  'Your store credit has changed. Please look at the new sum.',
  'credit_changed',
)

/** Moves credit: changes account, entry and ledger together. The entries in `against` sum to `amountCents`. */
export async function moveCredit(tx: Tx, movement: Movement, against: Entry[], paymentId: string | null = null) {
  const { userId, amountCents } = movement
  await tx
    .insertInto('creditAccounts')
    .values({ userId, balanceCents: amountCents })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet((row) => ({
        balanceCents: sql`${row.ref('creditAccounts.balanceCents')} + ${amountCents}`,
        updatedAt: now,
      })),
    )
    .execute()
  await tx.insertInto('creditEntries').values(movement).execute()
  await recordTransfer(tx, paymentId, [{ account: creditAccount(userId), amountCents: -amountCents }, ...against])
}

const selectBalance = (db: Db | Tx, userId: string) =>
  db.selectFrom('creditAccounts').select('balanceCents').where('userId', '=', userId)

/** Reads the balance without a lock. A debt is negative. */
export const readBalance = async (db: Db | Tx, userId: string): Promise<number> =>
  (await selectBalance(db, userId).executeTakeFirst())?.balanceCents ?? 0

export const readSpendable = async (db: Db | Tx, userId: string) => spendableCents(await readBalance(db, userId))

export const lockSpendable = async (tx: Tx, userId: string): Promise<number> =>
  spendableCents((await selectBalance(tx, userId).forUpdate().executeTakeFirst())?.balanceCents ?? 0)

/** Reserves credit for an order. Returns false if the balance is too low. */
export async function holdCredit(tx: Tx, order: { id: string; userId: string; creditCents: number }): Promise<boolean> {
  const { id: orderId, userId, creditCents } = order
  const account = await selectBalance(tx, userId).forUpdate().executeTakeFirst()
  if (!account || account.balanceCents < creditCents) return false
  await moveCredit(tx, { userId, kind: 'spent', amountCents: -creditCents, orderId }, [
    { account: HELD, amountCents: -creditCents },
  ])
  return true
}

export async function needCredit(tx: Tx, order: Parameters<typeof holdCredit>[1]) {
  if (!(await holdCredit(tx, order))) throw CREDIT_CHANGED
}

export async function returnCredit(tx: Tx, order: { id: string; userId: string; creditCents: number }) {
  const { id: orderId, userId, creditCents: amountCents } = order
  if (amountCents === 0) return
  await moveCredit(tx, { userId, kind: 'returned', amountCents, orderId }, [{ account: HELD, amountCents }])
}

export async function giveCredit(
  tx: Tx,
  { userId, amountCents, why }: { userId: string; amountCents: number; why: string },
) {
  await recordAct(tx, {
    actorId: null,
    act: 'account.credited',
    subjectId: userId,
    details: { amount: usd(amountCents) },
  })
  await moveCredit(tx, { userId, kind: 'given', amountCents, orderId: null, why }, [{ account: GOODWILL, amountCents }])
}

import { sql } from 'kysely'
import { recordAct } from '../identity/audit/audit.server.ts'
import type { Db, Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { toDecimal } from '../kit/money.ts'
import type { CreditKind } from './credit.contract.ts'
import { spendableCents } from './credit.rules.ts'
import { recordTransfer } from './payments.store.server.ts'

// Store credit and its part of the ledger, where it is money we owe the customer. Locks: order -> payment -> codes ->
// credit, so that nothing is waited for by whoever holds an account's row.

type Entry = { account: string; amountCents: number }
type Movement = {
  userId: string
  kind: CreditKind
  /** Above zero comes in, below zero goes out. */
  amountCents: number
  orderId: string | null
  why?: string
}

const creditAccount = (userId: string) => `credit:${userId}`
/** Credit of orders that are placed and neither paid nor failed yet. */
export const HELD = 'credit:held'
export const FIRST_PURCHASE = 'promotion:first_purchase'
const GOODWILL = 'promotion:goodwill'

export const CREDIT_CHANGED = new Failure(
  409,
  'Your store credit has changed. Please look at the new sum.',
  'credit_changed',
)

/**
 * The one way in which credit moves: account, entry and ledger together. `against` are the other entries of the transfer,
 * which come to `amountCents`.
 */
export async function moveCredit(tx: Tx, movement: Movement, against: Entry[], paymentId: string | null = null) {
  const { userId, amountCents } = movement
  await tx
    .insertInto('creditAccounts')
    .values({ userId, balanceCents: amountCents })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet((row) => ({
        balanceCents: sql`${row.ref('creditAccounts.balanceCents')} + ${amountCents}`,
        updatedAt: sql`now()`,
      })),
    )
    .execute()
  await tx.insertInto('creditEntries').values(movement).execute()
  await recordTransfer(tx, paymentId, [{ account: creditAccount(userId), amountCents: -amountCents }, ...against])
}

/** What the customer can spend at this moment; another transaction may be spending it. */
export async function readSpendable(db: Db | Tx, userId: string): Promise<number> {
  const row = await db
    .selectFrom('creditAccounts')
    .select('balanceCents')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return spendableCents(row?.balanceCents ?? 0)
}

/** Sets credit aside for an order, so that no other can use it. Answers false when there is not so much. */
export async function holdCredit(tx: Tx, order: { id: string; userId: string; creditCents: number }): Promise<boolean> {
  const { id: orderId, userId, creditCents } = order
  const account = await tx
    .selectFrom('creditAccounts')
    .select('balanceCents')
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!account || account.balanceCents < creditCents) return false
  await moveCredit(tx, { userId, kind: 'spent', amountCents: -creditCents, orderId }, [
    { account: HELD, amountCents: -creditCents },
  ])
  return true
}

/** The same for an order that is being placed. Throws 409 when the credit is not there any more. */
export async function needCredit(tx: Tx, order: Parameters<typeof holdCredit>[1]) {
  if (!(await holdCredit(tx, order))) throw CREDIT_CHANGED
}

/** The order came to nothing: its credit can be spent again. */
export async function returnCredit(tx: Tx, order: { id: string; userId: string; creditCents: number }) {
  const { id: orderId, userId, creditCents: amountCents } = order
  if (amountCents === 0) return
  await moveCredit(tx, { userId, kind: 'returned', amountCents, orderId }, [{ account: HELD, amountCents }])
}

/** Credit that the staff gives from the command line, and what for. */
export async function giveCredit(
  tx: Tx,
  { userId, amountCents, why }: { userId: string; amountCents: number; why: string },
) {
  await recordAct(tx, {
    actorId: null,
    act: 'account.credited',
    subjectId: userId,
    details: { amount: `$${toDecimal(amountCents)}` },
  })
  await moveCredit(tx, { userId, kind: 'given', amountCents, orderId: null, why }, [{ account: GOODWILL, amountCents }])
}

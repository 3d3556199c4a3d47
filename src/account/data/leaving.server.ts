import { sql } from 'kysely'
import type { Leaving } from '../../identity/accounts/deletion.contract.ts'
import type { Db, Tx } from '../../kit/database.server.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { readBalance } from '../../payments/balance.server.ts'
import { readBalance as readCredit } from '../../payments/credit.server.ts'
import { OPEN_STATES } from '../../payments/payouts/payouts.store.server.ts'

/** Returns sentences for the owner. `hold` is the reason why the account cannot be deleted yet. */
export async function readLeaving(db: Db | Tx, userId: string): Promise<Leaving> {
  const { availableCents, pendingCents } = await readBalance(db, userId)
  const openCents = await readOpenPayouts(db, userId)
  const creditCents = await readCredit(db, userId)
  const money: string[] = []
  if (availableCents > 0)
    money.push(
      `${usd(availableCents)} of your balance can be paid out. Request your last payout before the account is deleted.`,
    )
  if (pendingCents > 0)
    money.push(`${usd(pendingCents)} of your sales are on hold. We delete the account only after they are released.`)
  if (openCents > 0) money.push(`A payout of ${usd(openCents)} is under way.`)
  if (creditCents > 0) money.push(`Your store credit of ${usd(creditCents)} ends with the account.`)
  const hold =
    openCents > 0 ? `A payout of ${usd(openCents)} is under way. Delete your account once it has arrived.` : null
  return { money, hold, canPayOut: availableCents > 0 }
}

/** Returns true while money of the account can still move: payouts, and sales that buyers can return. */
export async function isMoneyUnderWay(tx: Tx, userId: string): Promise<boolean> {
  return (await readOpenPayouts(tx, userId)) > 0 || (await readBalance(tx, userId)).pendingCents > 0
}

async function readOpenPayouts(db: Db | Tx, userId: string): Promise<number> {
  const { cents } = await db
    .selectFrom('payouts')
    .select(sql<number>`coalesce(sum(amount_cents), 0)::bigint`.as('cents'))
    .where('sellerId', '=', userId)
    .where('state', 'in', OPEN_STATES)
    .executeTakeFirstOrThrow()
  return cents
}

import { recordTransfer, sellerAccount } from '../src/payments/ledger/transfers.store.server.ts'
import type { TestShop } from './shop.ts'

/** Adds money to a seller's balance that can be paid out. */
export async function earn({ database }: Pick<TestShop, 'database'>, sellerId: string, cents: number) {
  await database.db.transaction().execute((tx) =>
    recordTransfer(tx, null, [
      { account: sellerAccount(sellerId), amountCents: -cents },
      { account: 'promotion:goodwill', amountCents: cents },
    ]),
  )
}

/** Ends the waiting period of payouts after a change of details. */
export const passPayoutWait = ({ database: { pool } }: Pick<TestShop, 'database'>, sellerId: string) =>
  pool.query('UPDATE payout_details SET waits_until = NULL WHERE user_id = $1', [sellerId])

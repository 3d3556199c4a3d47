import type { Db, Tx } from '../kit/database.server.ts'
import * as statements from './methods/wallets.statements.server.ts'
import type { Provider } from './provider.ts'

export type Wallet = { id: string; provider: string; label: string; vaultId: string }

const selectWallets = (db: Db | Tx) =>
  db.selectFrom('wallets').select(['id', 'provider', 'label', 'vaultId']).where('removedAt', 'is', null)

type At = Pick<Provider, 'name' | 'mode'>

export const findWallet = async (
  db: Db | Tx,
  userId: string,
  { name, mode }: At,
  id?: string,
): Promise<Wallet | undefined> =>
  (await statements.findWallet(db, { userId, provider: name, mode, walletId: id ?? null }))[0]

const selectKept = (db: Db | Tx, id: string) => selectWallets(db).where('id', '=', id)

export const findKeptWallet = (db: Db, id: string): Promise<Wallet | undefined> => selectKept(db, id).executeTakeFirst()

/** Locks the wallet for a charge. A removal waits for the end of the transaction, so that it sees the charge. */
export const lockKeptWallet = (tx: Tx, id: string): Promise<Wallet | undefined> =>
  selectKept(tx, id).forShare().executeTakeFirst()

export async function saveWallet(
  db: Db | Tx,
  wallet: { userId: string; provider: string; mode: 'sandbox' | 'live'; vaultId: string; label: string },
) {
  await db
    .insertInto('wallets')
    .values(wallet)
    .onConflict((conflict) => conflict.columns(['provider', 'vaultId']).doNothing())
    .execute()
}

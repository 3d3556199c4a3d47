import { sql } from 'kysely'
import { compiled, type Db, type Tx } from '../kit/database.server.ts'
import type { Provider } from './provider.ts'

export type Wallet = { id: string; provider: string; label: string; vaultId: string }

const selectWallets = (db: Db | Tx) =>
  db.selectFrom('wallets').select(['id', 'provider', 'label', 'vaultId']).where('removedAt', 'is', null)

/** The newest wallet at a provider, or the one with this id. */
export const findWallet = async (db: Db | Tx, userId: string, { name, mode }: At, id?: string) =>
  (await readWallets(db, userId, name, mode, id ?? null))[0] as Wallet | undefined
type At = Pick<Provider, 'name' | 'mode'>

const readWallets = compiled((db, userId: string, name: string, mode: Provider['mode'], id: string | null) =>
  selectWallets(db)
    .where('userId', '=', userId)
    .where('provider', '=', name)
    .where('mode', '=', mode)
    .where(sql<boolean>`(${id}::uuid IS NULL OR id = ${id}::uuid)`)
    .orderBy('createdAt', 'desc')
    .limit(1),
)

const selectKept = (db: Db | Tx, id: string) => selectWallets(db).where('id', '=', id)

export const findKeptWallet = (db: Db, id: string): Promise<Wallet | undefined> => selectKept(db, id).executeTakeFirst()

/** Also delays a removal to the end of the transaction, so that it sees the charge. */
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

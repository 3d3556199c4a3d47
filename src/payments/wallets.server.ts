import type pg from 'pg'
import { type Db, inTransaction, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { handle, type Route } from '../kit/handle.server.ts'
import { addJob, type Job, laneOf } from '../kit/jobs.server.ts'
import * as statements from './methods/wallets.statements.server.ts'
import type { Provider, Providers } from './provider.ts'
import { listWallets, removeWallet } from './wallets.contract.ts'

// A job revokes a removed method at the provider. The shop stores the reference without the label for another hour. Until
// then, an answer that the provider gave before the revocation cannot save the method again.

export function walletRoutes({ list }: Pick<Providers, 'list'>): Route[] {
  const limits = [{ per: 'account' as const, count: 30, seconds: 60 }]
  const kept = keptAt(list)
  return [
    handle(listWallets, { limits }, (_, { user, pool }) => walletsOf(pool, user.id, kept)),

    handle(removeWallet, { limits }, async ({ id }, { user, db, pool }) => {
      await inTransaction(db, async (tx) => {
        if ((await remove(tx, user.id, id)) === 0) throw new Failure(404, 'Not found')
      })
      return walletsOf(pool, user.id, kept)
    }),
  ]
}

type KeptAt = { names: string[]; modes: Provider['mode'][] }
/** The configured providers, the only ones that can charge a wallet. */
const keptAt = (list: Provider[]): KeptAt => ({
  names: list.map(({ name }) => name),
  modes: list.map(({ mode }) => mode),
})

async function walletsOf(pool: pg.Pool, userId: string, kept: KeptAt) {
  const rows = await statements.listWallets(pool, { userId, ...kept })
  return rows.map(({ id, label, createdAt }) => ({ id, label, keptSince: createdAt.toISOString() }))
}

export const hasWallet = async (db: Db, userId: string, provider: string, vaultId: string): Promise<boolean> =>
  (await db
    .selectFrom('wallets')
    .select('id')
    .where('userId', '=', userId)
    .where('provider', '=', provider)
    .where('vaultId', '=', vaultId)
    .where('removedAt', 'is', null)
    .executeTakeFirst()) !== undefined

export const removeWalletsOf = (tx: Tx, userId: string) => remove(tx, userId, null)

async function remove(tx: Tx, userId: string, walletId: string | null): Promise<number> {
  const removed = await statements.removeWallets(tx, { userId, walletId })
  for (const wallet of removed) await enqueue(tx, wallet)
  return removed.length
}

const enqueue = (tx: Tx | Db, { id, provider }: { id: string; provider: string }) =>
  addJob(tx, 'revoke_wallet', { id }, { key: `revoke_wallet:${id}`, queue: laneOf(provider, id) })

/** Revokes a wallet. Retries after a running charge, because finding its result needs the reference. */
export async function revokeWallet(db: Db, providers: Pick<Providers, 'named'>, id: string): Promise<void> {
  const wallet = await db
    .selectFrom('wallets')
    .select(['provider', 'vaultId', 'mode'])
    .where('id', '=', id)
    .where('removedAt', 'is not', null)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  if (!wallet) return
  const charge = await db
    .selectFrom('payments')
    .select('id')
    .where('walletId', '=', id)
    .where('status', '=', 'capturing')
    .executeTakeFirst()
  if (charge) throw new Error('a charge of this wallet is under way')
  const provider = providers.named(wallet.provider)
  // a live provider does not know a sandbox wallet; a live wallet waits until the live provider is configured
  if (wallet.mode === 'live' && provider.mode !== 'live') throw new Error('this wallet is kept at the live provider')
  if (wallet.mode === provider.mode) await provider.saved?.forget(wallet.vaultId)
  await db.updateTable('wallets').set({ revokedAt: now }).where('id', '=', id).execute()
}

const AT_ONCE = 100

/** Enqueues lost revocations, oldest first, so that failures block no others. */
async function requeueRevocations(db: Db, list: Provider[]) {
  const names = list.map(({ name }) => name)
  const live = list.filter(({ mode }) => mode === 'live').map(({ name }) => name)
  const idle = await statements.markIdle(db, { names, live, most: AT_ONCE })
  for (const wallet of idle) await enqueue(db, wallet)
}

export const walletJobs = (db: Db, providers: Pick<Providers, 'list' | 'named'>): Job[] => [
  { name: 'revoke_wallet', pool: 'money', run: ({ id = '' }) => revokeWallet(db, providers, id) },
  { name: 'revoke_wallets', pool: 'money', cron: '17 * * * *', run: () => requeueRevocations(db, providers.list) },
  {
    name: 'erase_wallets',
    pool: 'other',
    cron: '37 * * * *',
    run: async () => void (await statements.eraseReferences(db, {})),
  },
]

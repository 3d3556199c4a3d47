import { type Expression, type SqlBool, sql } from 'kysely'
import type pg from 'pg'
import { type Db, inTransaction, now, statement, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, handle, type Route } from '../kit/handle.server.ts'
import { addJob, type Job, laneOf } from '../kit/jobs.server.ts'
import { isoOf } from '../kit/sql/json.server.ts'
import type { Provider, Providers } from './provider.ts'
import { listWallets, removeWallet } from './wallets.contract.ts'
import { only } from '../kit/values/required.ts'

// Saved methods, as their owner manages them. A job revokes a removed one at the provider; until then its reference stays,
// without a label.

type Mode = Provider['mode']

export function walletRoutes({ list }: Pick<Providers, 'list'>): Route[] {
  const limits = [{ per: 'account' as const, count: 30, seconds: 60 }]
  const kept = keptAt(list)
  return [
    handle(listWallets, { limits }, (_, { user, pool }) => walletsOf(pool, user.id, kept)),

    handle(removeWallet, { limits }, async ({ id }, { user, db, pool }) => {
      await inTransaction(db, async (tx) => {
        const removed = await remove(tx, sql<SqlBool>`id = ${id}::uuid AND user_id = ${user.id}::uuid`)
        if (removed === 0) throw new Failure(404, 'Not found')
      })
      return walletsOf(pool, user.id, kept)
    }),
  ]
}

type KeptAt = [names: string[], modes: Mode[]]
/** The configured providers. A wallet at another one cannot be charged. */
const keptAt = (list: Provider[]): KeptAt => [list.map(({ name }) => name), list.map(({ mode }) => mode)]

const readWallets = statement<{ json: string }, [userId: string, ...KeptAt]>(
  'wallets_read',
  `SELECT coalesce(json_agg(json_build_object('id', id, 'label', label, 'keptSince', ${isoOf('created_at')})
      ORDER BY created_at DESC, id), '[]')::text AS json
  FROM wallets w JOIN unnest($2::text[], $3::text[]) AS o (name, mode) ON o.name = w.provider AND o.mode = w.mode
  WHERE user_id = $1 AND removed_at IS NULL`,
)

const walletsOf = async (pool: pg.Pool, userId: string, kept: KeptAt) =>
  asJson(only(await readWallets(pool, userId, ...kept)).json)

export const hasWallet = async (db: Db, userId: string, provider: string, vaultId: string): Promise<boolean> =>
  (await db
    .selectFrom('wallets')
    .select('id')
    .where('userId', '=', userId)
    .where('provider', '=', provider)
    .where('vaultId', '=', vaultId)
    .where('removedAt', 'is', null)
    .executeTakeFirst()) !== undefined

export const removeWalletsOf = (tx: Tx, userId: string) => remove(tx, sql<SqlBool>`user_id = ${userId}::uuid`)

async function remove(tx: Tx, which: Expression<SqlBool>): Promise<number> {
  const removed = await tx
    .updateTable('wallets')
    .set({ removedAt: now, label: '' })
    .where(which)
    .where('removedAt', 'is', null)
    .returning(['id', 'provider'])
    .execute()
  for (const wallet of removed) await enqueue(tx, wallet)
  return removed.length
}

const enqueue = (tx: Tx | Db, { id, provider }: { id: string; provider: string }) =>
  addJob(tx, 'revoke_wallet', { id }, { key: `revoke_wallet:${id}`, queue: laneOf(provider, id) })

/** The job; it retries after an error. A charge under way ends first, because finding its result needs the reference. */
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
  // a live provider does not know a sandbox's wallet; a live wallet waits until the live provider is configured
  if (wallet.mode === 'live' && provider.mode !== 'live') throw new Error('this wallet is kept at the live provider')
  if (wallet.mode === provider.mode) await provider.saved?.forget(wallet.vaultId)
  await db
    .updateTable('wallets')
    .set({ vaultId: sql<string>`'erased-' || id`, revokedAt: now })
    .where('id', '=', id)
    .execute()
}

const AT_ONCE = 100

/** Enqueues lost removals, oldest first: failing ones block none. Only its live provider revokes a live wallet. */
async function requeueRevocations(db: Db, list: Provider[]) {
  const names = list.map(({ name }) => name)
  const live = list.filter(({ mode }) => mode === 'live').map(({ name }) => name)
  const idle = await sql<{ id: string; provider: string }>`UPDATE wallets SET revocation_asked_at = now() WHERE id IN (
      SELECT id FROM wallets
      WHERE removed_at < now() - interval '30 minutes' AND revoked_at IS NULL AND provider = ANY (${names}::text[])
        AND (mode = 'sandbox' OR provider = ANY (${live}::text[]))
      ORDER BY coalesce(revocation_asked_at, removed_at) LIMIT ${AT_ONCE}) RETURNING id, provider`.execute(db)
  for (const wallet of idle.rows) await enqueue(db, wallet)
}

export const walletJobs = (db: Db, providers: Pick<Providers, 'list' | 'named'>): Job[] => [
  { name: 'revoke_wallet', pool: 'money', run: ({ id = '' }) => revokeWallet(db, providers, id) },
  { name: 'revoke_wallets', pool: 'money', cron: '17 * * * *', run: () => requeueRevocations(db, providers.list) },
]

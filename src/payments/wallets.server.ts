import { type Expression, type SqlBool, sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { handle, type Route } from '../kit/handle.server.ts'
import { addJob, type Job } from '../kit/jobs.server.ts'
import type { Paypal } from './paypal/client.server.ts'
import { listWallets, removeWallet, type SavedWallet } from './wallets.contract.ts'

// Saved ways to pay, from their owner's side. One that is removed here is revoked at the provider by a job: until that is
// done its reference stays, without a word whose it was, and no longer.

type Mode = Paypal['mode']

export function walletRoutes({ mode }: Pick<Paypal, 'mode'>): Route[] {
  const limits = [{ per: 'account' as const, count: 30, seconds: 60 }]
  return [
    handle(listWallets, (_, { user, db }) => walletsOf(db, user.id, mode), { limits }),

    handle(
      removeWallet,
      async ({ id }, { user, db }) => {
        await inTransaction(db, async (tx) => {
          const removed = await remove(tx, sql<SqlBool>`id = ${id}::uuid AND user_id = ${user.id}::uuid`)
          if (removed === 0) throw new Failure(404, 'Not found')
        })
        return walletsOf(db, user.id, mode)
      },
      { limits },
    ),
  ]
}

async function walletsOf(db: Db, userId: string, mode: Mode): Promise<SavedWallet[]> {
  const wallets = await db
    .selectFrom('wallets')
    .select(['id', 'label', 'createdAt'])
    .where('userId', '=', userId)
    .where('mode', '=', mode)
    .where('removedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
  return wallets.map(({ id, label, createdAt }) => ({ id, label, keptSince: createdAt.toISOString() }))
}

/** Nothing is charged to them again, and nothing says whose they were. */
export const removeWalletsOf = (tx: Tx, userId: string) => remove(tx, sql<SqlBool>`user_id = ${userId}::uuid`)

async function remove(tx: Tx, which: Expression<SqlBool>): Promise<number> {
  const removed = await tx
    .updateTable('wallets')
    .set({ removedAt: sql<Date>`now()`, label: '' })
    .where(which)
    .where('removedAt', 'is', null)
    .returning('id')
    .execute()
  for (const { id } of removed) await enqueue(tx, id)
  return removed.length
}

const enqueue = (tx: Tx | Db, id: string) => addJob(tx, 'revoke_wallet', { id }, { key: `revoke_wallet:${id}` })

/**
 * The job: throwing means that it is tried again. What a lost answer was about is still asked for with the reference, so
 * a charge that is under way ends first.
 */
export async function revokeWallet(db: Db, paypal: Pick<Paypal, 'mode' | 'revokeWallet'>, id: string): Promise<void> {
  const wallet = await db
    .selectFrom('wallets')
    .select(['vaultId', 'mode'])
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
  // the provider of today knows nothing of a rehearsal; one that was kept for real waits until it can be asked for
  if (wallet.mode === 'live' && paypal.mode !== 'live') throw new Error('this wallet is kept at the live provider')
  if (wallet.mode === paypal.mode) await paypal.revokeWallet(wallet.vaultId)
  await db
    .updateTable('wallets')
    .set({ vaultId: sql<string>`'erased-' || id`, revokedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

const AT_ONCE = 100

/**
 * Asks again for those whose job was lost or has given up, the one first that was asked for longest ago: those that fail
 * each time keep no other out. A wallet of the live provider can be revoked there alone.
 */
async function takeUpRevocations(db: Db, mode: Mode) {
  const waiting = db
    .selectFrom('wallets')
    .select('id')
    .where('removedAt', '<', sql<Date>`now() - interval '30 minutes'`)
    .where('revokedAt', 'is', null)
    .where('mode', 'in', ['sandbox', mode])
    .orderBy(sql`coalesce(revocation_asked_at, removed_at)`)
    .limit(AT_ONCE)
  const idle = await db
    .updateTable('wallets')
    .set({ revocationAskedAt: sql<Date>`now()` })
    .where('id', 'in', waiting)
    .returning('id')
    .execute()
  for (const { id } of idle) await enqueue(db, id)
}

export const walletJobs = (db: Db, paypal: Paypal): Job[] => [
  { name: 'revoke_wallet', run: ({ id = '' }) => revokeWallet(db, paypal, id) },
  { name: 'revoke_wallets', cron: '17 * * * *', run: () => takeUpRevocations(db, paypal.mode) },
]

import { findUnsettledSellers, updateSuspended } from '../catalogue/offSale.server.ts'
import {
  endSuspension,
  findOverdueSuspensions,
  insertSuspension,
} from '../identity/accounts/suspension.statements.server.ts'
import { recordAct } from '../identity/audit/audit.server.ts'
import { type Db, inTransaction, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { handle, type Route } from '../kit/handle.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { liftSuspension, suspendSeller } from './moderation.contract.ts'
import { mailMember, type Mailing } from '../notifications/mail/caseMail.server.ts'

const SELLERS_AT_ONCE = 100
const limits = [{ per: 'account', count: 30, seconds: 60, isShared: true }] as const

export const suspensionRoutes = (mailing: Mailing): Route[] => [
  handle(suspendSeller, { limits: [...limits] }, async ({ id, reason, days }, { user, db }) => {
    if (id === user.id) throw new Failure(409, 'You can’t suspend yourself.', 'own_account')
    await inTransaction(db, async (tx) => {
      const seller = await tx
        .selectFrom('users')
        .select('id')
        .where('id', '=', id)
        .where('erasedAt', 'is', null)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!seller) throw new Failure(404, 'Not found')
      const [made] = await insertSuspension(tx, { sellerId: id, reason, madeBy: user.id, days: days ?? null })
      if (!made) throw new Failure(409, 'This seller is suspended already.', 'suspended')
      await updateSuspended(tx, id)
      const details = { until: made.endsAt ? made.endsAt.toISOString().slice(0, 10) : 'it is lifted', reason }
      await recordAct(tx, { actorId: user.id, act: 'seller.suspended', subjectId: id, details })
      await mailMember(tx, mailing, id, {
        key: `suspended:${made.id}`,
        subject: 'You can’t sell for now',
        lines: [
          `We have taken all of your products off sale ${made.endsAt ? `until ${details.until}` : 'until further notice'}, and payouts wait.`,
          `Reason: ${reason}`,
          'Your buyers keep what they bought. If you think that we are wrong, write to us in the chat.',
        ],
        action: { label: 'Open your products', path: '/my-products' },
      })
    })
    return {}
  }),

  handle(liftSuspension, { limits: [...limits] }, async ({ id }, { user, db }) => {
    if (id === user.id) throw new Failure(409, 'You can’t end your own suspension.', 'own_account')
    await inTransaction(db, async (tx) => {
      if (!(await lift(tx, mailing, id, user.id))) throw new Failure(404, 'Not found')
    })
    return {}
  }),
]

/** Ends expired suspensions, and corrects products that are wrongly on or off sale. */
export const suspensionJobs = (db: Db, mailing: Mailing): Job[] => [
  {
    name: 'end_suspensions',
    pool: 'other',
    cron: '*/5 * * * *',
    run: async () => {
      const over = await findOverdueSuspensions(db, { limit: SELLERS_AT_ONCE })
      for (const { sellerId } of over) await inTransaction(db, (tx) => lift(tx, mailing, sellerId, null))
      for (const sellerId of await findUnsettledSellers(db, SELLERS_AT_ONCE))
        await inTransaction(db, (tx) => updateSuspended(tx, sellerId))
    },
  },
]

/** Ends a suspension and returns true. Without `actorId`, only if it has expired. */
async function lift(tx: Tx, mailing: Mailing, sellerId: string, actorId: string | null): Promise<boolean> {
  const [lifted] = await endSuspension(tx, { sellerId, actorId })
  if (!lifted) return false
  const isLeaving = await updateSuspended(tx, sellerId)
  const how: Record<string, string> = actorId ? {} : { how: 'its days were over' }
  await recordAct(tx, { actorId, act: 'seller.lifted', subjectId: sellerId, details: how })
  await mailMember(tx, mailing, sellerId, {
    key: `suspension-ended:${lifted.id}`,
    ...(isLeaving
      ? {
          subject: 'Your suspension is over',
          lines: [
            'Your products stay off sale because your account waits for its deletion.',
            'If you change your mind, sign in: you keep your account, and your products go on sale again.',
          ],
          action: { label: 'Sign in', path: '/api/login' },
        }
      : {
          subject: 'You can sell again',
          lines: ['Your products are on sale again, except those that you took off sale or that we took down.'],
          action: { label: 'Open your products', path: '/my-products' },
        }),
  })
  return true
}

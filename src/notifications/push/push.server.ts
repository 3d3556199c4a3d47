import { ECDH } from 'node:crypto'
import type { Identity } from '../../identity/identity.server.ts'
import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { findSubscription } from './push.statements.server.ts'
import { getPushKey, subscribeToPush, unsubscribeFromPush } from './push.contract.ts'
import { endpointProblem, verdictOf } from './push.rules.ts'
import { derivePushKeys, pushTo, type Sender } from './push.send.server.ts'

// Push subscriptions of browsers. push.enqueue.server.ts queues notifications. The service worker shows them.

const MAX_BROWSERS = 20

export function openPush({
  config,
  db,
  secret,
  sessionKeyOf,
}: {
  config: Pick<Config, 'mode' | 'mailFrom'>
  db: Db
  secret: string
  sessionKeyOf: SessionKeyOf
}) {
  const sender: Sender = {
    keys: derivePushKeys(secret),
    subject: `mailto:${/<(.+)>/.exec(config.mailFrom)?.[1] ?? config.mailFrom}`,
    isTest: config.mode === 'test',
  }
  return { routes: pushRoutes(sender, sessionKeyOf), jobs: [pushJob(sender, db)] }
}

type SessionKeyOf = Identity['sessionKeyOf']

function pushRoutes({ keys, isTest }: Sender, sessionKeyOf: SessionKeyOf): Route[] {
  return [
    handle(getPushKey, async () => ({ publicKey: keys.publicKey })),

    handle(
      subscribeToPush,
      { limits: [{ per: 'account', count: 30, seconds: 60 }] },
      async ({ endpoint, keys: { p256dh, auth } }, { user, db, header }) => {
        const problem = endpointProblem(endpoint, isTest) ?? keyProblem(p256dh, auth)
        if (problem) throw new Failure(400, `endpoint: ${problem}.`)
        await inTransaction(db, async (tx) => {
          const session = await tx
            .selectFrom('sessions')
            .select('id')
            .where('tokenHash', '=', sessionKeyOf(header('cookie')) ?? '')
            .forKeyShare()
            .executeTakeFirst()
          if (!session) throw new Failure(401, 'Unauthorized')
          const values = { userId: user.id, sessionId: session.id, p256dh, auth }
          await tx
            .insertInto('pushSubscriptions')
            .values({ endpoint, ...values })
            .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(values))
            .execute()
          await forgetOldest(tx, user.id)
        })
        return { isSubscribed: true }
      },
    ),

    handle(unsubscribeFromPush, async ({ endpoint }, { user, db }) => {
      await db.deleteFrom('pushSubscriptions').where('endpoint', '=', endpoint).where('userId', '=', user.id).execute()
      return { isSubscribed: false }
    }),
  ]
}

/** Checks the keys of a subscription. Otherwise the job of every notification would fail on invalid keys. */
function keyProblem(p256dh: string, auth: string): string | null {
  const [key, secret] = [Buffer.from(p256dh, 'base64url'), Buffer.from(auth, 'base64url')]
  if (key.length !== 65 || key[0] !== 4 || secret.length !== 16) return 'its keys have the wrong length'
  try {
    ECDH.convertKey(key, 'prime256v1')
    return null
  } catch {
    return 'its key is no point of the curve P-256'
  }
}

async function forgetOldest(tx: Tx, userId: string) {
  const kept = tx
    .selectFrom('pushSubscriptions')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .limit(MAX_BROWSERS)
  await tx.deleteFrom('pushSubscriptions').where('userId', '=', userId).where('id', 'not in', kept).execute()
}

const pushJob = (sender: Sender, db: Db): Job => ({
  name: 'push',
  pool: 'outside',
  run: async ({ subscriptionId = '', message = '' }) => {
    const [to] = await findSubscription(db, { id: subscriptionId })
    if (!to) return
    const status = await pushTo(sender, to, message)
    const verdict = verdictOf(status)
    if (verdict === 'again') throw new Error(`the push service answered ${status}`)
    if (verdict === 'refused') log.warn('a push was refused', { status })
    if (verdict === 'gone') await db.deleteFrom('pushSubscriptions').where('id', '=', subscriptionId).execute()
  },
})

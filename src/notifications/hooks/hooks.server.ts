import { randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { postOutside, problemOfAddress } from '../../kit/outside/postOutside.server.ts'
import { createSeal } from '../../kit/seal.server.ts'
import { only } from '../../kit/values/required.ts'
import {
  addHook,
  changeHook,
  countFailedMessages,
  type Hook,
  listHookMessages,
  listHooks,
  MAX_COUNTED,
  MAX_ENDPOINTS,
  MAX_RESENT,
  removeHook,
  renewSecret,
  replayFailedMessages,
  replayHookMessage,
  RESEND_DAYS,
  testHook,
} from './hooks.contract.ts'
import {
  deleteHook,
  disableHook,
  endPause,
  failOfDisabled,
  findDue,
  hasWaitingTest,
  hookOf,
  insertHook,
  noteAttempt,
  postpone,
  queueMessage,
  readHooks,
  readMessages,
  replaceSecret,
  startAgain,
  sweepMessages,
  updateHook,
} from './hooks.store.server.ts'
import { countFailed, failWithoutJob, queueTest, restartFailed } from './hooks.statements.server.ts'
import { GONE, isSuccess, pauseAfter, retryAfter } from './retry.rules.ts'

// Outgoing webhooks, signed by the Standard Webhooks specification. Database triggers queue the events
// (`migrations/03_notifications.sql`).

const MISSING = new Failure(404, 'Not found')
const NOT_ADMIN = new Failure(403, 'Only administrators can receive the events of all sellers.')
const limits = [{ per: 'account', count: 30, seconds: 60, isShared: true } as const]
const tests = [{ per: 'account', count: 3, seconds: 60, isShared: true } as const]

type Options = {
  config: Pick<Config, 'mode' | 'storeName'> & { keepSentWebhooksDays: number }
  db: Db
  secret: string
  publicUrl: string
}

export function openHooks({ config, db, secret, publicUrl }: Options) {
  const seal = createSeal(secret, 'outgoing webhooks')
  const isLocal = config.mode !== 'production'

  const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`

  async function one(userId: string, id: string): Promise<Hook> {
    const [row] = await readHooks(db, userId, id)
    if (!row) throw MISSING
    return hookOf(row)
  }

  function refuseInside(url: string) {
    const problem = problemOfAddress(url, isLocal)
    if (problem) throw new Failure(400, `url: ${problem}`, 'invalid', { details: { field: 'url' } })
  }

  const routes: Route[] = [
    handle(listHooks, async (_, { user }) => (await readHooks(db, user.id)).map(hookOf)),

    handle(addHook, { limits }, async ({ url, events, isForShop }, { user }) => {
      if (isForShop && user.role !== 'admin') throw NOT_ADMIN
      refuseInside(url)
      const [id, plain] = [randomUUID(), newSecret()]
      await inTransaction(db, async (tx) => {
        // locks the user, so that concurrent requests cannot exceed the limit
        const { role } = await tx
          .selectFrom('users')
          .select('role')
          .where('id', '=', user.id)
          .forNoKeyUpdate()
          .executeTakeFirstOrThrow()
        // reads the role from the database, because the session may have an old one
        if (isForShop && role !== 'admin') throw NOT_ADMIN
        if ((await readHooks(tx, user.id)).length >= MAX_ENDPOINTS)
          throw new Failure(409, `You have ${MAX_ENDPOINTS} addresses. Remove one first.`, 'too_many')
        await insertHook(tx, { id, userId: user.id, url, events, isForShop, secret: seal.seal(plain, id) })
      })
      return { ...(await one(user.id, id)), secret: plain }
    }),

    handle(changeHook, { limits }, async ({ id, ...words }, { user }) => {
      refuseInside(words.url)
      if (!(await inTransaction(db, (tx) => updateHook(tx, user.id, id, words)))) throw MISSING
      return one(user.id, id)
    }),

    handle(renewSecret, { limits }, async ({ id }, { user }) => {
      const plain = newSecret()
      if (!(await inTransaction(db, (tx) => replaceSecret(tx, user.id, id, seal.seal(plain, id))))) throw MISSING
      return { ...(await one(user.id, id)), secret: plain }
    }),

    handle(removeHook, { limits }, async ({ id }, { user }) => {
      if (!(await deleteHook(db, user.id, id))) throw MISSING
      return {}
    }),

    handle(testHook, { limits: tests }, async ({ id }, { user }) => {
      const { state, url } = await one(user.id, id)
      if (state === 'disabled') throw new Failure(409, 'Enable this address first.', 'disabled')
      const data = JSON.stringify({ url, from: publicUrl })
      await inTransaction(db, async (tx) => {
        if (await hasWaitingTest(tx, id))
          throw new Failure(409, 'A test of this address is still waiting for its response.', 'waiting')
        await queueTest(tx, { id, data })
      })
      return {}
    }),

    handle(listHookMessages, (_, { user }) => readMessages(db, user.id)),

    handle(replayHookMessage, { limits }, async ({ id }, { user }) => {
      await inTransaction(db, async (tx) => {
        if (!(await startAgain(tx, user.id, id))) throw MISSING
        await queueMessage(tx, { id, userId: user.id, isNow: true })
      })
      return {}
    }),

    handle(countFailedMessages, async (_, { user }) =>
      only(await countFailed(db, { userId: user.id, days: RESEND_DAYS, limit: MAX_COUNTED })),
    ),

    handle(replayFailedMessages, { limits }, (_, { user }) =>
      inTransaction(db, async (tx) => {
        const restarted = await restartFailed(tx, { userId: user.id, days: RESEND_DAYS, limit: MAX_RESENT })
        // only the first event of an address ignores a pause: its success ends the pause for the others
        for (const { id, isFirst } of restarted) await queueMessage(tx, { id, userId: user.id, isNow: isFirst })
        return { queued: restarted.length }
      }),
    ),
  ]

  /** Makes one attempt. A repeated job sends the same id, so that the receiver can deduplicate. */
  async function send(id: string, isNow: boolean) {
    const due = await findDue(db, id)
    if (!due) return failOfDisabled(db, id)
    const { body, hookId, url, userId, pausedSeconds } = due
    if (pausedSeconds > 0 && !isNow && due.type !== 'test')
      return inTransaction(db, (tx) => postpone(tx, { id, userId, seconds: pausedSeconds }))
    const secrets = [due.secret, due.formerSecret].flatMap((sealed) => (sealed ? [seal.open(sealed, hookId)] : []))
    const at = new Date()
    const messageId = `msg_${id.replaceAll('-', '')}`
    const signatures = secrets.flatMap((plain) =>
      plain ? [new Webhook(plain.toString()).sign(messageId, at, body)] : [],
    )
    const headers = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Primo-Webhooks/1',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    }
    const posted = await postOutside(url, { headers, body, isLocal })
    const isDelivered = isSuccess(posted.status)
    const seconds = isDelivered || posted.status === GONE ? null : retryAfter(due.attempts + 1)
    await inTransaction(db, async (tx) => {
      const pauseSeconds = pauseAfter(due.failures + 1)
      await noteAttempt(tx, { id, hookId, posted, nextSeconds: seconds, pauseSeconds, isDelivered })
      if (isDelivered && due.failures > 0) await endPause(tx, { hookId, userId })
      if (seconds !== null) await queueMessage(tx, { id, userId, delaySeconds: seconds })
      if (isDelivered || seconds !== null) return
      const disabled = await disableHook(tx, hookId, posted.status === GONE)
      if (!disabled) return
      const owner = await tx
        .selectFrom('users')
        .select('email')
        .where('id', '=', disabled.userId)
        .executeTakeFirstOrThrow()
      await sendMail(tx, config, {
        key: `hook-disabled:${hookId}:${id}`,
        to: owner.email,
        subject: 'We have turned a webhook off',
        lines: [
          `${disabled.url} has not taken an event for three days, or asked us to stop. It gets no more events.`,
          `The last answer: ${posted.status ?? posted.answer}`,
          `Mend it, turn it on again, and send the missing events from its log. The log keeps them for ${config.keepSentWebhooksDays} days.`,
        ],
        action: { label: 'Open webhooks', url: `${publicUrl}/webhooks` },
      })
    })
  }

  const jobs: Job[] = [
    { name: 'send_hook', pool: 'hooks', run: ({ id = '', isNow = '' }) => send(id, isNow !== '') },
    {
      name: 'sweep_hooks',
      pool: 'other',
      cron: '37 4 * * *',
      run: async () => {
        await failWithoutJob(db, {})
        await sweepMessages(db, config.keepSentWebhooksDays)
      },
    },
  ]
  return { routes, jobs }
}

import { sql } from 'kysely'
import * as z from 'zod/mini'
import { shownEmail } from '../../kit/mail/shownEmail.server.ts'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { deleteMailsTo } from '../../kit/mail/mail.server.ts'
import type { Context } from '../pages/context.server.ts'
import { mailedLinkRoutes } from '../pages/mailedLink.server.ts'
import { renderNotice, withCookies } from '../pages/page.server.ts'
import { endSessionsOf } from '../sessions/session.store.server.ts'
import { hashToken, issueToken, redeemToken, revokeTokens } from '../token.store.server.ts'
import { addressOf, mailArrived } from './account.store.server.ts'
import { eraseBelongings } from './account.statements.server.ts'
import { getLeaving, GRACE_DAYS, requestDeletion } from './deletion.contract.ts'
import { mailText } from '../mails.server.ts'

// The owner requests the deletion, confirms it by mail, and can cancel it for two weeks by signing in. A database
// trigger cancels it, so that every way of signing in counts.

const PATH = '/api/login/delete'
const DELETE = 'delete'
const LINK_SECONDS = 24 * 3600

const Claim = z.object({ userId: z.string(), email: z.string(), money: z.optional(z.array(z.string())) })
type Claim = z.infer<typeof Claim>

export function deletionRoutes(context: Context): Route[] {
  const { db, cookies, look } = context
  return [
    handle(getLeaving, (_, { user }) => context.leaving(db, user.id)),

    handle(
      requestDeletion,
      { limits: [{ per: 'account', count: 5, seconds: 3600, isShared: true }] },
      async (_, { user }) => {
        const email = await addressOf(db, user.id)
        const { money, hold } = await context.leaving(db, user.id)
        if (hold) throw new Failure(409, hold, 'money_under_way')
        await mailLink(context, { userId: user.id, email, money })
        return { sentTo: email }
      },
    ),

    ...mailedLinkRoutes(context, {
      path: PATH,
      about: {
        ask: 'The page that deletes an account.',
        act: 'Deletes an account when the days of grace are over.',
      },
      kind: DELETE,
      schema: Claim,
      ask: ({ email, money = [] }) => ({
        title: 'Delete your account?',
        lead: html`We’ll sign <b>${shownEmail(email)}</b> out everywhere now. We’ll delete the account after at least
          ${GRACE_DAYS} days.`,
        before: html`<p>
            We’ll take your products off sale now. After the deletion, you can’t open what you bought. To keep the
            account, sign in before then.
          </p>
          ${money.map((line) => html`<p>${line}</p>`)}`,
        button: 'Delete my account',
        cancel: html`<a class="btn btn--line btn--wide" href="/">Keep it</a>`,
      }),
      act: async (token) => {
        const eraseAt = await scheduleDeletion(context, token)
        if (!eraseAt) return null
        const answer = renderNotice(look, {
          title: 'Your account will be deleted',
          lead: html`We’ll delete it on <b>${dayOf(eraseAt)}</b> or later. If you change your mind, sign in before then
            to keep it.`,
          actions: [['Go to the store', '/']],
        })
        return withCookies(answer, [cookies.endSession()])
      },
      useless: {
        lead: 'Each link works once and expires after 24 hours, and only the newest one works. You can get a new one in Settings.',
        href: '/settings',
        label: 'Go to settings',
      },
    }),
  ]
}

const mailLink = ({ db, config, linkOf, seal }: Context, claim: Claim) =>
  inTransaction(db, async (tx) => {
    await revokeTokens(tx, [DELETE], claim.userId)
    const token = await issueToken(tx, DELETE, claim, LINK_SECONDS)
    const url = linkOf(`${PATH}?token=${seal.seal(token, claim.email)}`)
    await mailText(tx, config, 'delete', { id: hashToken(token), to: claim.email, url, more: claim.money ?? [] })
  })

/**
 * Signs the account out everywhere and takes its products off sale. Returns the day of the deletion, or null if the
 * link was used or the address changed.
 */
const scheduleDeletion = ({ db, config, linkOf, leaving, updateSale }: Context, token: string): Promise<Date | null> =>
  inTransaction(db, async (tx) => {
    const claim = await redeemToken(tx, DELETE, token, Claim)
    if (!claim) return null
    const { userId, email } = claim
    const user = await tx
      .updateTable('users')
      .set({ eraseAt: sql<Date>`now() + ${GRACE_DAYS} * interval '1 day'`, keptAt: null, updatedAt: now })
      .where('id', '=', userId)
      .where('email', '=', email)
      .returning('eraseAt')
      .executeTakeFirst()
    if (!user?.eraseAt) return null
    await endSessionsOf(tx, userId)
    await updateSale(tx, userId)
    const given = { id: hashToken(token), to: email, url: linkOf('/api/login') }
    const { money } = await leaving(tx, userId)
    await mailText(tx, config, 'delete-begun', { ...given, values: { day: dayOf(user.eraseAt) }, more: money })
    return user.eraseAt
  })

export const keepAccount = (
  {
    db,
    config,
    linkOf,
    updateSale,
  }: Pick<Context, 'db' | 'linkOf' | 'updateSale'> & { config: Pick<Context['config'], 'storeName'> },
  userId: string,
) =>
  inTransaction(db, async (tx) => {
    await updateSale(tx, userId)
    const user = await tx.selectFrom('users').select(['email', 'keptAt']).where('id', '=', userId).executeTakeFirst()
    if (!user?.keptAt) return
    const id = `${userId}:${user.keptAt.getTime()}`
    await mailText(tx, config, 'account-kept', { id, to: user.email, url: linkOf('/settings') })
  })

export const findDueAccounts = async (db: Db, limit: number): Promise<string[]> => {
  const due = await db
    .selectFrom('users')
    .select('id')
    .where('eraseAt', '<=', now)
    .orderBy('eraseAt')
    .limit(limit)
    .execute()
  return due.map(({ id }) => id)
}

/** Postpones the erasure by a day, while money of the account still moves. */
export async function postponeErasure(tx: Tx, userId: string) {
  await tx
    .updateTable('users')
    .set({ eraseAt: sql<Date>`now() + interval '1 day'` })
    .where('id', '=', userId)
    .where('eraseAt', '<=', now)
    .execute()
}

/** Deletes the account's personal data. Returns the upload of its picture, or undefined if a sign-in canceled it. */
export async function eraseAccount(tx: Tx, userId: string): Promise<{ pictureId: string | null } | undefined> {
  const user = await tx
    .selectFrom('users')
    .select(['email', 'pictureObjectId'])
    .where('id', '=', userId)
    .where('eraseAt', '<=', now)
    .forUpdate()
    .executeTakeFirst()
  if (!user) return undefined
  await eraseMails(tx, userId, user.email)
  await eraseBelongings(tx, { userId })
  await tx
    .deleteFrom('verifications')
    .where(sql`value ->> 'userId'`, '=', userId)
    .execute()
  await tx
    .updateTable('users')
    .set({
      email: `erased-${userId}@erased.invalid`,
      emailVerified: false,
      name: '',
      firstName: null,
      lastName: null,
      image: null,
      pictureObjectId: null,
      role: 'member',
      wantsNews: false,
      wantsReviewMails: false,
      ...mailArrived,
      eraseAt: null,
      keptAt: null,
      erasedAt: now,
      updatedAt: now,
    })
    .where('id', '=', userId)
    .execute()
  return { pictureId: user.pictureObjectId }
}

/** Deletes the account's mails, except to former addresses that another account uses now. */
async function eraseMails(tx: Tx, userId: string, email: string) {
  const former = await tx
    .selectFrom('formerAddresses')
    .select('email')
    .where('userId', '=', userId)
    .where('email', 'not in', tx.selectFrom('users').select('email').where('id', '<>', userId))
    .execute()
  await deleteMailsTo(tx, [email, ...former.map((one) => one.email)])
}

const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
const dayOf = (date: Date) => day.format(date)

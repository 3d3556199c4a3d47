import { sql } from 'kysely'
import * as z from 'zod/mini'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { type Answer, handle, handleRaw, type Page, type Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { addressOf } from './account.store.server.ts'
import { mailArrived } from '../email/bounces.server.ts'
import { GRACE_DAYS, requestDeletion } from './deletion.contract.ts'
import { asPage, countForm, type Desk, tokenOf, tooMany } from '../pages/context.server.ts'
import { readForm } from '../pages/form.server.ts'
import { endLinks, findLink, hashOfLink, makeLink, useLink } from '../email/mailedLink.store.server.ts'
import { alert, renderPage } from '../pages/page.server.ts'
import { endSessionsOf } from '../sessions/session.store.server.ts'

// An account is deleted by its owner: asked for while signed in, confirmed by mail, done two weeks later. Until then
// signing in keeps it; the database sees to that, whichever way one signs in.

const PATH = '/api/login/delete'
const DELETE = 'delete'
const LIVES = 24 * 3600

const Claim = z.object({ userId: z.string(), email: z.string() })
type Claim = z.infer<typeof Claim>

export function deletionRoutes(desk: Desk): Route[] {
  const { db, cookies } = desk
  return [
    handle(
      requestDeletion,
      async (_, { user }) => {
        const email = await addressOf(db, user.id)
        await mailLink(desk, { userId: user.id, email })
        return { sentTo: email }
      },
      { limits: [{ per: 'account', count: 5, seconds: 3600, isShared: true }] },
    ),

    handleRaw(
      `GET ${PATH}`,
      { access: 'public', about: 'The page that deletes an account.' },
      asPage(desk, async (page) => {
        const claim = await findLink(db, DELETE, tokenOf(page), Claim)
        return claim ? askPage(desk, page, claim) : uselessLink(desk)
      }),
    ),

    handleRaw(
      `POST ${PATH}`,
      { access: 'public', about: 'Deletes an account when the days of grace are over.', body: 'bytes' },
      asPage(desk, async (page) => {
        readForm(page, [])
        const wait = await countForm(desk, 'address', page)
        const claim = await findLink(db, DELETE, tokenOf(page), Claim)
        if (!claim) return uselessLink(desk)
        if (wait) return askPage(desk, page, claim, wait)
        const eraseAt = await begin(desk, tokenOf(page), claim)
        if (!eraseAt) return uselessLink(desk)
        const answer = donePage(desk, eraseAt)
        return { ...answer, headers: { ...answer.headers, 'set-cookie': [cookies.endSession()] } }
      }),
    ),
  ]
}

const mailLink = ({ db, config, linkOf, seal }: Desk, claim: Claim) =>
  inTransaction(db, async (tx) => {
    await endLinks(tx, [DELETE], claim.userId)
    const token = await makeLink(tx, DELETE, claim, LIVES)
    await sendMail(tx, config, {
      key: `delete:${hashOfLink(token)}`,
      to: claim.email,
      subject: 'Delete your account?',
      lines: [
        `You asked to delete your account at ${config.storeName}. The link works once and expires after 24 hours.`,
        'If this wasn’t you, change your password now. Someone is signed in to your account.',
      ],
      action: { label: 'Delete my account', url: linkOf(`${PATH}?token=${seal.seal(token, claim.email)}`) },
    })
  })

/** Signs everybody out and sets the day; answers it, or null when the link was used or the address is another by now. */
const begin = ({ db, config, linkOf }: Desk, token: string, { userId, email }: Claim): Promise<Date | null> =>
  inTransaction(db, async (tx) => {
    if (!(await useLink(tx, DELETE, token))) return null
    const user = await tx
      .updateTable('users')
      .set({ eraseAt: sql<Date>`now() + ${GRACE_DAYS} * interval '1 day'`, keptAt: null, updatedAt: sql`now()` })
      .where('id', '=', userId)
      .where('email', '=', email)
      .returning('eraseAt')
      .executeTakeFirst()
    if (!user?.eraseAt) return null
    await endSessionsOf(tx, userId)
    await sendMail(tx, config, {
      key: `delete-begun:${hashOfLink(token)}`,
      to: email,
      subject: 'Your account will be deleted',
      lines: [
        `Your account at ${config.storeName} will be deleted on ${dayOf(user.eraseAt)}. You’ve been signed out everywhere.`,
        'To keep it, just sign in before then.',
      ],
      action: { label: 'Keep my account', url: linkOf('/api/login') },
    })
    return user.eraseAt
  })

/** The job that follows a sign-in within the days of grace: whoever owns the address hears that the account stays. */
export const tellKept = (
  { db, config, linkOf }: Pick<Desk, 'db' | 'linkOf'> & { config: Pick<Desk['config'], 'storeName'> },
  userId: string,
) =>
  inTransaction(db, async (tx) => {
    const user = await tx.selectFrom('users').select(['email', 'keptAt']).where('id', '=', userId).executeTakeFirst()
    if (!user?.keptAt) return
    await sendMail(tx, config, {
      key: `account-kept:${userId}:${user.keptAt.getTime()}`,
      to: user.email,
      subject: 'Your account stays',
      lines: [
        `Somebody signed in to your account at ${config.storeName}, so it is no longer going to be deleted.`,
        'To delete it all the same, ask for it in Settings once more. If it was not you, change your password there: somebody else knows it.',
      ],
      action: { label: 'Open Settings', url: linkOf('/settings') },
    })
  })

/** Accounts whose days of grace are over. */
export const findDueAccounts = async (db: Db, limit: number): Promise<string[]> => {
  const due = await db
    .selectFrom('users')
    .select('id')
    .where('eraseAt', '<=', sql<Date>`now()`)
    .orderBy('eraseAt')
    .limit(limit)
    .execute()
  return due.map(({ id }) => id)
}

/**
 * Leaves the account's row without a word about its owner, and takes everything with it that belongs to the owner alone.
 * Answers the upload of its picture, or undefined when somebody signed in at the last moment.
 */
export async function eraseAccount(tx: Tx, userId: string): Promise<{ pictureId: string | null } | undefined> {
  const user = await tx
    .selectFrom('users')
    .select(['email', 'pictureObjectId'])
    .where('id', '=', userId)
    .where('eraseAt', '<=', sql<Date>`now()`)
    .forUpdate()
    .executeTakeFirst()
  if (!user) return undefined
  await eraseMails(tx, userId, user.email)
  await sql`SELECT erase_belongings(${userId}::uuid)`.execute(tx)
  await tx
    .deleteFrom('verifications')
    .where((row) => row.or([row('value', '=', userId), row('value', 'like', `%${userId}%`)]))
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
      ...mailArrived,
      eraseAt: null,
      keptAt: null,
      erasedAt: sql<Date>`now()`,
      updatedAt: sql`now()`,
    })
    .where('id', '=', userId)
    .execute()
  return { pictureId: user.pictureObjectId }
}

/** To its address and to those it had before, unless somebody else has them by now. */
async function eraseMails(tx: Tx, userId: string, email: string) {
  const former = tx
    .selectFrom('formerAddresses')
    .select('email')
    .where('userId', '=', userId)
    .where('email', 'not in', tx.selectFrom('users').select('email').where('id', '<>', userId))
  await tx
    .deleteFrom('mails')
    .where((row) => row.or([row('recipient', '=', email), row('recipient', 'in', former)]))
    .execute()
}

const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
const dayOf = (date: Date) => day.format(date)

function askPage({ look }: Desk, page: Page, { email }: Claim, wait = 0): Answer {
  return renderPage(look, {
    title: 'Delete your account?',
    lead: html`We’ll sign <b>${email}</b> out everywhere now and delete the account in ${GRACE_DAYS} days.`,
    content: html`${alert(tooMany(wait))}
      <p>
        What you bought can then no longer be opened, and what you sell is taken off the shelf. Until that day you keep
        the account by signing in.
      </p>
      <form class="stack" method="post" action="${PATH}?token=${encodeURIComponent(tokenOf(page))}">
        <button class="btn btn--wide">Delete my account</button><a class="btn btn--line btn--wide" href="/">Keep it</a>
      </form>`,
    isSecret: true,
    wait,
  })
}

const donePage = ({ look }: Desk, eraseAt: Date): Answer =>
  renderPage(look, {
    title: 'Your account will be deleted',
    lead: html`It will be deleted on <b>${dayOf(eraseAt)}</b>. If you change your mind, sign in before then to keep it.`,
    content: html`<a class="btn btn--wide" href="/">Go to the store</a>`,
    isSecret: true,
  })

const uselessLink = ({ look }: Desk): Answer =>
  renderPage(look, {
    title: 'This link no longer works',
    lead: 'Each link works once and expires after 24 hours, and only the newest one works. You can get a new one in Settings.',
    content: html`<a class="btn btn--wide" href="/settings">Go to settings</a>`,
    status: 410,
    isSecret: true,
  })

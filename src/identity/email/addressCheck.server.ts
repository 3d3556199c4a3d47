import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { inTransaction } from '../../kit/database.server.ts'
import { type Answer, handleRaw, type Page, type Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { mailArrived } from './bounces.server.ts'
import { asPage, countForm, type Desk, tokenOf, tooMany } from '../pages/context.server.ts'
import { readForm } from '../pages/form.server.ts'
import { alert, renderPage } from '../pages/page.server.ts'

// The address of an account that was made without proof of it: a mailed link, and a press on its page, so that a mail
// scanner proves nothing.

const PATH = '/api/login/address'
const LIVES = 24 * 3600

const Claim = z.object({ userId: z.string(), email: z.string() })

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
const identifierOf = (token: string) => `address:${hashOf(token)}`

/** Mails a link for the address the account has now. */
export async function mailVerification(
  { db, config, linkOf, seal }: Desk,
  { id, email }: { id: string; email: string },
) {
  const token = randomBytes(24).toString('base64url')
  await inTransaction(db, async (tx) => {
    await tx
      .insertInto('verifications')
      .values({
        identifier: identifierOf(token),
        value: JSON.stringify({ userId: id, email }),
        expiresAt: sql<Date>`now() + make_interval(secs => ${LIVES})`,
      })
      .execute()
    await sendMail(tx, config, {
      key: `address:${hashOf(token)}`,
      to: email,
      subject: 'Verify your email address',
      lines: [
        `You asked ${config.storeName} to verify this address. The link works once and expires after 24 hours.`,
        'If this wasn’t you, you can ignore this email. Nothing will change.',
      ],
      action: { label: 'Verify', url: linkOf(`${PATH}?token=${seal.seal(token, email)}`) },
    })
  })
}

export function addressRoutes(desk: Desk): Route[] {
  return [
    handleRaw(
      `GET ${PATH}`,
      { access: 'public', about: 'The page that verifies the address of an account.' },
      asPage(desk, async (page) => {
        const claim = await findClaim(desk, tokenOf(page))
        return claim ? askPage(desk, page, claim.email) : uselessLink(desk)
      }),
    ),

    handleRaw(
      `POST ${PATH}`,
      { access: 'public', about: 'Verifies the address of an account.', body: 'bytes' },
      asPage(desk, async (page) => {
        readForm(page, [])
        const wait = await countForm(desk, 'address', page)
        const token = tokenOf(page)
        const claim = await findClaim(desk, token)
        if (!claim) return uselessLink(desk)
        if (wait) return askPage(desk, page, claim.email, wait)
        return (await verify(desk, token, claim)) ? donePage(desk, claim.email) : uselessLink(desk)
      }),
    ),
  ]
}

async function findClaim({ db }: Desk, token: string) {
  const row = await db
    .selectFrom('verifications')
    .select('value')
    .where('identifier', '=', identifierOf(token))
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row ? Claim.parse(JSON.parse(row.value)) : null
}

/** Uses the link up. False when it was used meanwhile, or the account has another address by now. */
const verify = ({ db }: Desk, token: string, { userId, email }: z.infer<typeof Claim>): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const used = await tx
      .deleteFrom('verifications')
      .where('identifier', '=', identifierOf(token))
      .returning('id')
      .executeTakeFirst()
    if (!used) return false
    const { numUpdatedRows } = await tx
      .updateTable('users')
      .set({ emailVerified: true, ...mailArrived, updatedAt: sql`now()` })
      .where('id', '=', userId)
      .where('email', '=', email)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  })

function askPage({ look }: Desk, page: Page, email: string, wait = 0): Answer {
  return renderPage(look, {
    title: 'Verify your address',
    lead: html`Is <b>${email}</b> yours?`,
    content: html`${alert(tooMany(wait))}
      <form class="stack" method="post" action="${PATH}?token=${encodeURIComponent(tokenOf(page))}">
        <button class="btn btn--wide">Yes, verify it</button>
      </form>
      <p class="hint">Didn’t ask for this? Just close this page.</p>`,
    isSecret: true,
    wait,
  })
}

function donePage({ look }: Desk, email: string): Answer {
  return renderPage(look, {
    title: 'Your address is verified',
    lead: html`We’ll send receipts and account emails to <b>${email}</b>.`,
    content: html`<a class="btn btn--wide" href="/profile">Go to your profile</a>`,
  })
}

function uselessLink({ look }: Desk): Answer {
  return renderPage(look, {
    title: 'This link no longer works',
    lead: 'Each link works once and expires after 24 hours. You can get a new one from your profile.',
    content: html`<a class="btn btn--wide" href="/profile">Go to your profile</a>`,
    status: 410,
    isSecret: true,
  })
}

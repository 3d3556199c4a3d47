import * as z from 'zod/mini'
import { shownEmail } from '../../kit/mail/shownEmail.server.ts'
import { inTransaction, now } from '../../kit/database.server.ts'
import type { Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { mailArrived } from '../accounts/account.store.server.ts'
import type { Context } from '../pages/context.server.ts'
import { mailedLinkRoutes } from '../pages/mailedLink.server.ts'
import { renderNotice } from '../pages/page.server.ts'
import { hashToken, issueToken, redeemToken } from '../token.store.server.ts'
import { mailText } from '../mails.server.ts'

const PATH = '/api/login/address'
export const ADDRESS = 'address'
const LINK_SECONDS = 24 * 3600

const Claim = z.object({ userId: z.string(), email: z.string() })

export const mailVerification = ({ db, config, linkOf, seal }: Context, { id, email }: { id: string; email: string }) =>
  inTransaction(db, async (tx) => {
    const token = await issueToken(tx, ADDRESS, { userId: id, email }, LINK_SECONDS)
    const url = linkOf(`${PATH}?token=${seal.seal(token, email)}`)
    await mailText(tx, config, 'address', { id: hashToken(token), to: email, url })
  })

export const addressRoutes = (context: Context): Route[] =>
  mailedLinkRoutes(context, {
    path: PATH,
    about: { ask: 'The page that verifies the address of an account.', act: 'Verifies the address of an account.' },
    kind: ADDRESS,
    schema: Claim,
    ask: ({ email }) => ({
      title: 'Verify your address',
      lead: html`Is <b>${shownEmail(email)}</b> yours?`,
      button: 'Yes, verify it',
      hint: 'Didn’t ask for this? Just close this page.',
    }),
    act: async (token, { email }) =>
      (await verify(context, token))
        ? renderNotice(context.look, {
            title: 'Your address is verified',
            lead: html`We’ll send receipts and account emails to <b>${shownEmail(email)}</b>.`,
            actions: [['Go to your profile', '/profile']],
          })
        : null,
    useless: {
      lead: 'Each link works once and expires after 24 hours. You can get a new one from your profile.',
      href: '/profile',
      label: 'Go to your profile',
    },
  })

const verify = ({ db }: Context, token: string): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const claim = await redeemToken(tx, ADDRESS, token, Claim)
    if (!claim) return false
    const { numUpdatedRows } = await tx
      .updateTable('users')
      .set({ emailVerified: true, ...mailArrived, updatedAt: now })
      .where('id', '=', claim.userId)
      .where('email', '=', claim.email)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  })

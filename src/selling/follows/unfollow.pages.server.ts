import { createHmac } from 'node:crypto'
import { signingKey } from '../../identity/identity.server.ts'
import { getPage, postForm, renderForm } from '../../identity/pages/form.server.ts'
import { type Look, renderNotice } from '../../identity/pages/page.server.ts'
import type { Db } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { Page, Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { isSameSecret } from '../../kit/secret.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { only } from '../../kit/values/required.ts'
import { readSellerName } from './follows.statements.server.ts'

const PATH = '/api/mails/unfollow'

export type UnfollowUrlOf = (userId: string, sellerId: string) => string

type Options = {
  db: Db
  secret: string
  publicUrl: string
  storeName: string
  unsubscribeUrlOf: (list: 'follows', userId: string) => string
}

const STOP_ALL = 'No more mails about any seller'

/** The unsubscribe links of mails about new products. A link needs no session, never expires, and is about one seller. */
export function openUnfollow({ db, secret, publicUrl, storeName, unsubscribeUrlOf }: Options): {
  routes: Route[]
  unfollowUrlOf: UnfollowUrlOf
} {
  const key = signingKey(secret)
  const look: Look = { storeName, isTls: publicUrl.startsWith('https:') }
  const signatureOf = (userId: string, sellerId: string) =>
    createHmac('sha256', key).update(`follow ${userId} ${sellerId}`).digest('base64url')

  /** Returns the ids of a link. Throws a 404 Failure for a wrong signature. */
  function readLink({ query }: Page) {
    const [userId, sellerId] = [query.get('account') ?? '', query.get('seller') ?? '']
    const isSigned = isUuid(userId) && isUuid(sellerId)
    if (isSigned && isSameSecret(query.get('key') ?? '', signatureOf(userId, sellerId))) return { userId, sellerId }
    throw new Failure(404, 'Not found')
  }

  // A mail program posts directly (RFC 8058). A person gets a page with a button.
  const routes = [
    getPage({ look }, PATH, 'The page that ends the mails about one seller.', async (page) => {
      const { userId, sellerId } = readLink(page)
      const { name } = only(await readSellerName(db, { sellerId }))
      const text = {
        title: `Unfollow ${name}?`,
        lead: `${storeName} won’t email or notify you about new products of ${name} anymore. You keep following others.`,
        button: `Unfollow ${name}`,
        after: html`<p class="hint"><a href="${unsubscribeUrlOf('follows', userId)}">${STOP_ALL}</a></p>`,
        isSecret: true,
      }
      return renderForm(look, page.url, {}, text)
    }),
    postForm({ look }, PATH, 'Ends the mails about one seller; what a mail program posts.', async (page) => {
      const { userId, sellerId } = readLink(page)
      await db.deleteFrom('follows').where('userId', '=', userId).where('sellerId', '=', sellerId).execute()
      return renderNotice(look, {
        title: 'You’re unsubscribed',
        lead: 'You don’t follow this seller anymore. Changed your mind? Follow the seller on their page again.',
        actions: [
          ['Go to your profile', '/profile'],
          [STOP_ALL, unsubscribeUrlOf('follows', userId)],
        ],
      })
    }),
  ]
  return {
    routes,
    unfollowUrlOf: (userId, sellerId) =>
      `${publicUrl}${PATH}?account=${userId}&seller=${sellerId}&key=${signatureOf(userId, sellerId)}`,
  }
}

import { createHmac, randomUUID } from 'node:crypto'
import type { Config } from '../../kit/config.server.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { Page } from '../../kit/handle.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { type MailChoice, setMailChoice } from '../../identity/accounts/account.store.server.ts'
import { recordAct } from '../../identity/audit/audit.server.ts'
import type { Context } from '../../identity/pages/context.server.ts'
import { getPage, postForm, renderForm } from '../../identity/pages/form.server.ts'
import { renderNotice } from '../../identity/pages/page.server.ts'
import { isSameSecret } from '../../kit/secret.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { lastOf } from '../../kit/values/required.ts'

// Each optional mail has an unsubscribe link that needs no session and never expires.

const PATH = '/api/mails/unsubscribe'
const AT_ONCE = 500

const LISTS: Record<string, { choices: MailChoice[]; name: string; title: string; lead: string }> = {
  news: {
    choices: ['wantsNews'],
    name: 'news',
    title: 'Unsubscribe from news?',
    lead: 'won’t email you news and offers anymore. You’ll still get receipts and account emails.',
  },
  versions: {
    choices: ['wantsVersions'],
    name: 'versions',
    title: 'No more mails about newer versions?',
    lead: 'won’t email you when a seller sends a newer version of what you bought. My Orders still shows it.',
  },
  reviews: {
    // turns off both, so that turning requests in the shop on again sends no mails
    choices: ['wantsReviewRequests', 'wantsReviewMails'],
    name: 'requests for reviews',
    title: 'No more requests for reviews?',
    lead: 'won’t ask you anymore to review what you used, neither by email nor in the shop.',
  },
  messages: {
    choices: ['wantsMessages'],
    name: 'messages',
    title: 'No more mails about messages?',
    lead: 'won’t email you when a buyer or a seller writes to you. The page of the order or the sale shows the messages.',
  },
  follows: {
    choices: ['wantsFollows'],
    name: 'mails about sellers',
    title: 'No more mails about sellers you follow?',
    lead: 'won’t email or notify you about new products of any seller you follow. Your library still shows them.',
  },
}

type Options = Pick<Context, 'db' | 'look'> & { config: Pick<Config, 'storeName'>; secret: string; publicUrl: string }

type List = 'news' | 'versions' | 'reviews' | 'messages' | 'follows'

export function openNewsletter({ db, look, config, secret, publicUrl }: Options) {
  const signatureOf = (list: string, userId: string) =>
    createHmac('sha256', secret).update(`${list} ${userId}`).digest('base64url')

  function unsubscribeUrlOf(list: List, userId: string): string {
    const key = signatureOf(list, userId)
    return `${publicUrl}${PATH}?account=${userId}&key=${key}${list === 'news' ? '' : `&list=${list}`}`
  }

  /** Returns the account and the mailing list of an unsubscribe link. Throws a 404 Failure for a wrong signature. */
  function readLink({ query }: Page) {
    const userId = query.get('account') ?? ''
    const name = query.get('list') ?? 'news'
    const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined
    if (list && isUuid(userId) && isSameSecret(query.get('key') ?? '', signatureOf(name, userId)))
      return { userId, list }
    throw new Failure(404, 'Not found')
  }

  async function send(subject: string, lines: string[]): Promise<number> {
    const id = randomUUID()
    let [count, after] = [0, '']
    for (;;) {
      const readers = await db
        .selectFrom('users')
        .select(['id', 'email'])
        .where('wantsNews', '=', true)
        .where('emailVerified', '=', true)
        .where('eraseAt', 'is', null)
        .where('mailRefusedAt', 'is', null)
        .where('email', '>', after)
        .orderBy('email')
        .limit(AT_ONCE)
        .execute()
      await inTransaction(db, async (tx) => {
        for (const { id: userId, email: to } of readers) {
          const unsubscribeUrl = unsubscribeUrlOf('news', userId)
          await sendMail(tx, config, { key: `news:${id}:${userId}`, to, subject, lines, unsubscribeUrl })
        }
        if (after === '') await recordAct(tx, { actorId: null, act: 'news.sent', details: { subject } })
      })
      count += readers.length
      if (readers.length < AT_ONCE) return count
      after = lastOf(readers).email
    }
  }

  // A mail program posts directly (RFC 8058). A person gets a page with a button.
  const routes = [
    getPage({ look }, PATH, 'The page that ends the news by mail.', async (page) => {
      const { title, lead, name } = readLink(page).list
      const text = { title, lead: `${look.storeName} ${lead}`, button: `No more ${name}`, isSecret: true }
      return renderForm(look, page.url, {}, text)
    }),
    postForm({ look }, PATH, 'Ends the news by mail; what a mail program posts on one press.', async (page) => {
      const { userId, list } = readLink(page)
      for (const choice of list.choices) await setMailChoice(db, 'id', userId, choice, false)
      return renderNotice(look, {
        title: 'You’re unsubscribed',
        lead: 'Changed your mind? Go to Email Preferences on your profile.',
        actions: [['Go to your profile', '/profile']],
      })
    }),
  ]
  return { routes, send, unsubscribeUrlOf }
}

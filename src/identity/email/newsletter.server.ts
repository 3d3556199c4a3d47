import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { type Answer, handleRaw, type Page, type Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { recordAct } from '../audit/audit.server.ts'
import { asPage, type Context } from '../pages/context.server.ts'
import { renderPage } from '../pages/page.server.ts'
import { isUuid } from '../../kit/uuid.ts'

// News go to who asked for them, and each brings the way out: a link that works without signing in and never runs out.

const PATH = '/api/mails/unsubscribe'
const AT_ONCE = 500

export type News = ReturnType<typeof createNews>

export function createNews(
  db: Db,
  config: Pick<Config, 'storeName'>,
  secret: string,
  linkOf: (path: string) => string,
) {
  const signatureOf = (userId: string) => createHmac('sha256', secret).update(`news ${userId}`).digest()
  const unsubscribeUrl = (userId: string) =>
    linkOf(`${PATH}?account=${userId}&key=${signatureOf(userId).toString('base64url')}`)

  return {
    /** Whose link this is; null when it is not one of ours. */
    ownerOf({ query }: Pick<Page, 'query'>): string | null {
      const userId = query.get('account') ?? ''
      const given = Buffer.from(query.get('key') ?? '', 'base64url')
      if (!isUuid(userId)) return null
      const own = signatureOf(userId)
      return given.length === own.length && timingSafeEqual(given, own) ? userId : null
    },

    /** Mails it to everybody who wants news and has a proven address; answers to how many. */
    async send(subject: string, lines: string[]): Promise<number> {
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
          for (const { id: userId, email: to } of readers)
            await sendMail(tx, config, {
              key: `news:${id}:${userId}`,
              to,
              subject,
              lines,
              unsubscribeUrl: unsubscribeUrl(userId),
            })
          if (after === '') await recordAct(tx, { actorId: null, act: 'news.sent', details: { subject } })
        })
        count += readers.length
        if (readers.length < AT_ONCE) return count
        after = readers.at(-1)!.email
      }
    },
  }
}

/** A mail program posts by itself what its reader pressed (RFC 8058); a person gets a page with a button. */
export function newsRoutes(context: Context, news: News): Route[] {
  return [
    handleRaw(
      `GET ${PATH}`,
      { access: 'public', about: 'The page that ends the news by mail.' },
      asPage(context, async (page) => {
        needOwner(news, page)
        return askPage(context, page)
      }),
    ),
    handleRaw(
      `POST ${PATH}`,
      { access: 'public', about: 'Ends the news by mail; what a mail program posts on one press.', body: 'bytes' },
      asPage(context, async (page) => {
        await context.db
          .updateTable('users')
          .set({ wantsNews: false, updatedAt: sql`now()` })
          .where('id', '=', needOwner(news, page))
          .where('wantsNews', '=', true)
          .execute()
        return donePage(context)
      }),
    ),
  ]
}

function needOwner(news: News, page: Page): string {
  const userId = news.ownerOf(page)
  if (userId === null) throw new Failure(404, 'Not found')
  return userId
}

const askPage = ({ look }: Context, { url }: Page): Answer =>
  renderPage(look, {
    title: 'Unsubscribe from news?',
    lead: `${look.storeName} won’t email you news and offers anymore. You’ll still get receipts and account emails.`,
    content: html`<form class="stack" method="post" action="${url}">
      <button class="btn btn--wide">No more news</button>
    </form>`,
    isSecret: true,
  })

const donePage = ({ look }: Context): Answer =>
  renderPage(look, {
    title: 'You’re unsubscribed',
    lead: 'Changed your mind? Go to Email Preferences on your profile.',
    content: html`<a class="btn btn--wide" href="/profile">Go to your profile</a>`,
    isSecret: true,
  })

import { Failure } from '../../kit/failure.ts'
import type { Page, Route } from '../../kit/handle.server.ts'
import { type Html, html } from '../../kit/html.server.ts'
import type { Context } from '../../identity/pages/context.server.ts'
import { getPage } from '../../identity/pages/form.server.ts'
import { renderPage } from '../../identity/pages/page.server.ts'
import { completeHtml, type Footing, legalLinks } from '../../kit/mail/mail.server.ts'
import { pageHeaders, PERSONAL } from '../../kit/serve/headers.server.ts'
import { isUuid } from '../../kit/uuid.ts'

const MAX_SHOWN = 50
const LINK = /(https?:\/\/[^\s<>"]+)/

type Shown = Pick<Context, 'db' | 'look' | 'seal'> & { footing: Footing }

export function devMailRoutes(context: Shown): Route[] {
  const { db, look, seal, footing } = context
  async function findMail(id: string) {
    const mail = isUuid(id) && (await db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst())
    if (!mail) throw new Failure(404, 'Not found')
    return mail
  }
  return [
    getPage(context, '/dev/mail', 'The mails that were not sent (development only).', async (page) => {
      needThisMachine(page)
      const mails = await db
        .selectFrom('mails')
        .select(['id', 'recipient', 'subject', 'bodyText', 'createdAt'])
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_SHOWN)
        .execute()
      return renderPage(look, {
        title: 'Mails kept here',
        lead: 'No mail server is set (SMTP_URL), so nothing is sent. Newest first.',
        content:
          mails.length === 0
            ? html`<p class="note" role="status">No mail yet. This page looks again every 3 seconds.</p>`
            : html`<ol class="mails">
                ${mails.map(
                  ({ id, recipient, subject, bodyText, createdAt }) =>
                    html`<li class="mail">
                      <div>
                        <h2><a href="/dev/mail/${id}">${subject}</a></h2>
                        <small>To ${recipient} · ${timeOf(createdAt)}</small>
                      </div>
                      ${actionOf(seal.open(bodyText, recipient))}
                    </li>`,
                )}
              </ol>`,
        isWide: true,
        ...(mails.length === 0 && { refresh: 3 }),
      })
    }),

    getPage(context, '/dev/mail/:id', 'One of those mails.', async (page) => {
      needThisMachine(page)
      const { id = '' } = page.params
      const mail = await findMail(id)
      return renderPage(look, {
        title: mail.subject,
        lead: html`To <b>${mail.recipient}</b> · ${timeOf(mail.createdAt)}`,
        content: html`<article class="letter">
            ${seal
              .open(mail.bodyText, mail.recipient)
              .split('\n\n')
              .map((text) => html`<p>${withLinks(text)}</p>`)}
            <p>${legalLinks(footing.publicUrl).map(({ name, url }) => html`<a href="${url}">${name}</a> `)}</p>
          </article>
          <a class="link" href="/dev/mail/${id}/html">As HTML, as mail programs show it</a>
          <a class="link" href="/dev/mail">All mails</a>`,
        isWide: true,
      })
    }),

    getPage(context, '/dev/mail/:id/html', 'Shows the HTML of a mail.', async (page) => {
      needThisMachine(page)
      const mail = await findMail(page.params.id ?? '')
      const body = completeHtml(seal.open(mail.bodyHtml, mail.recipient), footing)
      return { status: 200, headers: { ...pageHeaders({ scripts: [] }), 'cache-control': PERSONAL }, body }
    }),
  ]
}

/** Throws a 404 Failure for requests of other machines. */
function needThisMachine({ isFromHere }: Page) {
  if (!isFromHere) throw new Failure(404, 'Not found')
}

const timeOf = (at: Date) =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`

function actionOf(text: string): Html | null {
  const [, label, url] = /^([^:\n]+): (https?:\/\/\S+)$/m.exec(text) ?? []
  return label && url ? html`<a class="btn btn--small" href="${url}">${label}</a>` : null
}

const withLinks = (text: string): Html[] =>
  text.split(LINK).map((part, i) => (i % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))

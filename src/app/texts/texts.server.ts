import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked } from 'marked'
import type { ArticleSummary } from '../../assistant/help/help.contract.ts'
import { selfRefundPromise } from '../../aftersale/refunds/selfRefund.rules.ts'
import type { Help } from '../../assistant/help/help.server.ts'
import { topicsOf } from '../../assistant/help/topics.rules.ts'
import { type Look, renderPage } from '../../identity/pages/page.server.ts'
import type { Answer } from '../../kit/handle.server.ts'
import { type Html, html, trustedHtml } from '../../kit/html.server.ts'
import { LEGAL_PAGES } from '../../kit/mail/legal.ts'
import type { Config } from '../settings.server.ts'

/** What every seller sees of a purchase. */
const SEEN = 'from which country, how often and when you, or a person who got it from you as a gift, opened it'

const listed = ({ slug, title, summary }: ArticleSummary) => `- [${title}](/help/${slug}): ${summary}`

type TextSettings = Pick<
  Config,
  'sellersSeeEmail' | 'selfRefundDays' | 'keepMailsDays' | 'keepErrorsDays' | 'keepRiskDays'
>

export function createTexts({
  help,
  folder,
  look,
  told,
}: {
  help: Help
  folder: string | undefined
  look: Look
  told: TextSettings
}) {
  const seen = told.sellersSeeEmail
    ? `${SEEN}, your public name, and your email address if you turned on news and offers`
    : `${SEEN}, and your public name, but not your email address`

  const show = (title: string, markdown: string): Answer =>
    renderPage(look, {
      title,
      isWide: true,
      content: html`<div class="prose">${proseOf(markdown)}</div>
        <div class="links">
          ${[['/', 'Home'], ['/help', 'Help'], ...LEGAL_PAGES].map(([href, name]) => html`<a class="link" href="${href}">${name}</a>`)}
        </div>`,
    })
  const read = (name: string) => {
    const own = folder && join(folder, name)
    const text = readFileSync(own && existsSync(own) ? own : join(import.meta.dirname, name), 'utf8')
    return text
      .replaceAll('%STORE_NAME%', look.storeName)
      .replaceAll('%SELLERS_SEE%', seen)
      .replaceAll('%SELF_REFUND%', selfRefundPromise(told.selfRefundDays))
      .replaceAll('%KEEP_MAILS_DAYS%', String(told.keepMailsDays))
      .replaceAll('%KEEP_ERRORS_DAYS%', String(told.keepErrorsDays))
      .replaceAll('%KEEP_RISK_DAYS%', String(told.keepRiskDays))
  }
  const texts = new Map(
    LEGAL_PAGES.map(([path, name]) => [path as string, { name, text: read(`${path.slice(1)}.md`) }]),
  )
  const rendered = new Map<string, Html>()
  function proseOf(markdown: string): Html {
    const known = rendered.get(markdown) ?? trustedHtml(marked.parse(markdown, { async: false }))
    rendered.set(markdown, known)
    return known
  }

  return (path: string, isMember: boolean): Answer | null => {
    const legal = texts.get(path)
    if (legal) return show(legal.name, legal.text)
    if (isMember) return null
    const articles = help.all()
    if (path === '/help')
      return show(
        'Help',
        topicsOf(articles)
          .map(([topic, some]) => `## ${topic}\n\n${some.map(listed).join('\n')}`)
          .join('\n\n'),
      )
    const article = articles.find(({ slug }) => path === `/help/${slug}`)
    return article ? show(article.title, help.bodyOf(article.slug)!) : null
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, StaffView } from '../../kit/handle.server.ts'
import { html, trustedHtml } from '../../kit/html.server.ts'
import { MEMBER_HEADER } from '../../kit/memberHeader.ts'
import { PERSONAL } from '../../kit/serve/headers.server.ts'
import { BANNER_ID, END_VIEW_LINE } from './staffView.ts'

const css = trustedHtml(readFileSync(join(import.meta.dirname, 'banner.css'), 'utf8').replace(/\s+/g, ' '))

export const bannerOf = (name: string) =>
  html`<aside class="view-banner" id="${BANNER_ID}" aria-label="View of staff">
    <style>
      ${css}
    </style>
    <p title="${name}">Read only: you see the shop as <b dir="auto">${name}</b></p>
    <form method="post" action="${END_VIEW_LINE.slice('POST '.length)}"><button>End</button></form>
  </aside>`

/**
 * Adds the banner to an uncompressed page that staff see as a member. The browser stores no copy, not even in the
 * offline cache. It leaves the page when the view ends.
 */
export function withBanner(answer: Answer, memberId: string, { name, endsAt }: StaffView): Answer {
  const { status, headers: given = {}, body } = answer
  const { etag: _, [MEMBER_HEADER]: __, ...headers } = given
  if (!String(headers['content-type']).startsWith('text/html')) return answer
  const seconds = Math.max(0, Math.ceil((endsAt.getTime() - Date.now()) / 1000)) + 1
  return {
    status,
    headers: { ...headers, 'cache-control': PERSONAL, refresh: `${seconds}; url=/admin/members/${memberId}` },
    body: String(body).replace(/<body[^>]*>/, (tag) => tag + bannerOf(name).html),
  }
}

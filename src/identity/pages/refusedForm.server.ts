import type { Answer, Page } from '../../kit/handle.server.ts'
import type { Context } from './context.server.ts'
import { type Problems, redirect } from './page.server.ts'

// A browser that shows the answer to a posted form asks to send it again when one comes back to it. So a refused form
// leads on to a page of its own. What that says travels in a signed cookie: no link can put words into our mouth.

const LIVES_SECONDS = 120

export type Refused = {
  email?: string
  firstName?: string
  lastName?: string
  problems?: Problems
  message?: string
  status?: number
  wait?: number
}

/** True for a browser that opens a page; a script wants its status at once. */
export const isOpening = ({ header }: Page) => header('sec-fetch-dest') === 'document'

/** On to the page that says what was wrong. No password is ever part of it. */
export const refuse = ({ cookies }: Context, form: string, to: string, refused: Refused): Answer =>
  redirect(`${to}${to.includes('?') ? '&' : '?'}refused=1`, {
    cookies: [cookies.setRefused(JSON.stringify({ form, at: Date.now(), refused }), LIVES_SECONDS)],
  })

/** What was wrong with this form a moment ago in this browser; nothing otherwise. */
export function refusedOf({ cookies }: Context, form: string, { query, header }: Page): Refused {
  const text = query.has('refused') && cookies.refusedOf(header('cookie'))
  if (!text) return {}
  const kept = JSON.parse(text) as { form: string; at: number; refused: Refused }
  const seconds = Math.floor((Date.now() - kept.at) / 1000)
  if (kept.form !== form || seconds > LIVES_SECONDS) return {}
  const { wait, ...rest } = kept.refused
  const { email, firstName, lastName } = rest
  if (wait === undefined) return rest
  // whoever comes back after the wait may try again
  return seconds < wait ? { ...rest, wait: wait - seconds } : { email, firstName, lastName }
}

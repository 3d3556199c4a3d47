import type { Answer, Page } from '../../kit/handle.server.ts'
import type { Context } from './context.server.ts'
import { type Problems, redirect } from './page.server.ts'

// A refused form redirects to a page, so that Back and Reload do not post it again. A signed cookie carries the problems, so
// that no link can make the shop show a text.

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

/** True for a browser navigation; scripts get the status directly. */
export const isOpening = ({ header }: Page) => header('sec-fetch-dest') === 'document'

/** Redirects to the page that shows the problems. Never contains a password. */
export const refuse = ({ cookies }: Context, form: string, to: string, refused: Refused): Answer =>
  redirect(`${to}${to.includes('?') ? '&' : '?'}refused=1`, {
    cookies: [cookies.setRefused(JSON.stringify({ form, at: Date.now(), refused }), LIVES_SECONDS)],
  })

/** The problems of this form if this browser posted it just now, otherwise {}. */
export function refusedOf({ cookies }: Context, form: string, { query, header }: Page): Refused {
  const text = query.has('refused') && cookies.refusedOf(header('cookie'))
  if (!text) return {}
  const kept = JSON.parse(text) as { form: string; at: number; refused: Refused }
  const seconds = Math.floor((Date.now() - kept.at) / 1000)
  if (kept.form !== form || seconds > LIVES_SECONDS) return {}
  const { wait, ...rest } = kept.refused
  const { email, firstName, lastName } = rest
  if (wait === undefined) return rest
  // the wait is over
  return seconds < wait ? { ...rest, wait: wait - seconds } : { email, firstName, lastName }
}

import { Failure } from '../../kit/failure.ts'
import { type Answer, handleRaw, type Page, type RawRoute, type Route } from '../../kit/handle.server.ts'
import { type Html, html } from '../../kit/html.server.ts'
import { checkValue } from '../../kit/serve/body.server.ts'
import { withReturnTo } from '../sign-in/returnTo.rules.ts'
import { asPage, type Context, returnToOf, tokenOf, tooMany } from './context.server.ts'
import { alert, type Look, type PageText, type Problems, redirect, renderPage } from './page.server.ts'
import { firstOf } from '../../kit/values/required.ts'

type Run = RawRoute['run']
type Path = `/${string}`

export const getPage = (context: Pick<Context, 'look'>, path: Path, about: string, run: Run): Route =>
  handleRaw(`GET ${path}`, { access: 'public', about }, asPage(context, run))

export const postForm = (context: Pick<Context, 'look'>, path: Path, about: string, run: Run): Route =>
  handleRaw(`POST ${path}`, { access: 'public', about, body: 'bytes' }, asPage(context, run))

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses a form; a missing field is ''. Throws a 415 Failure for another content type, 400 for an unexpected field. */
export function readForm<Name extends string>(
  { header, body }: Pick<Page, 'header' | 'body'>,
  names: readonly Name[],
): Record<Name, string> {
  const type = firstOf((header('content-type') ?? '').split(';'))
    .trim()
    .toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') throw new Failure(415, 'This content type is not accepted.')
  const form = Object.fromEntries(names.map((name) => [name, ''])) as Record<Name, string>
  const seen = new Set<string>()
  for (const [name, value] of new URLSearchParams(textOf(body))) {
    if (!isOneOf(names, name) || seen.has(name)) throw new Failure(400, 'The form holds a field that it does not have.')
    checkValue(value)
    seen.add(name)
    form[name] = value
  }
  return form
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name)

function textOf(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new Failure(400, 'The form is not valid UTF-8.')
  }
}

const LIVES_SECONDS = 120

export type Refused = {
  email?: string
  problems?: Problems
  message?: string
  status?: number
  wait?: number
}

type FormText = Omit<PageText, 'content' | 'status' | 'wait'> & {
  before?: Html | Html[] | false
  controls?: Html | Html[]
  /** Without a button there is no form. */
  button: string | false
  isLine?: boolean
  cancel?: Html
  after?: Html | false
}

/** `owner` is the email address of the account of a mailed link. */
type ShownForm = { page: Page; refused: Refused; owner: string }

/**
 * Creates a page with a form that posts to its own path. A refused form redirects to the page, so that Back and Reload
 * do not post again. A signed cookie has the problems, so that a link cannot make the shop show a text.
 */
export function createForm(
  context: Context,
  path: string,
  describe: (shown: ShownForm) => FormText | Promise<FormText>,
) {
  const { cookies, look } = context
  const show = async (shown: ShownForm): Promise<Answer> =>
    renderForm(look, addressOf(path, shown.page), shown.refused, await describe(shown))
  return {
    open: (page: Page, owner = '') => show({ page, refused: refusedOf(context, path, page), owner }),

    /** Scripts get the status directly. `refused` never contains a password. */
    async refuse(page: Page, refused: Refused, owner = ''): Promise<Answer> {
      if (page.header('sec-fetch-dest') !== 'document') return show({ page, refused, owner })
      const address = addressOf(path, page)
      return redirect(`${address}${address.includes('?') ? '&' : '?'}refused=1`, {
        cookies: [cookies.refused.set(JSON.stringify({ form: path, at: Date.now(), refused }), LIVES_SECONDS)],
      })
    },
  }
}

export function addressOf(path: string, page: Page): string {
  const token = tokenOf(page)
  return withReturnTo(token ? `${path}?token=${encodeURIComponent(token)}` : path, returnToOf(page))
}

function refusedOf({ cookies }: Context, form: string, { query, header }: Page): Refused {
  const text = query.has('refused') && cookies.refused.of(header('cookie'))
  if (!text) return {}
  const kept = JSON.parse(text) as { form: string; at: number; refused: Refused }
  const seconds = Math.floor((Date.now() - kept.at) / 1000)
  if (kept.form !== form || seconds > LIVES_SECONDS) return {}
  const { wait, ...rest } = kept.refused
  if (wait === undefined) return rest
  return seconds < wait ? { ...rest, wait: wait - seconds } : { email: rest.email }
}

export function renderForm(look: Look, address: string, refused: Refused, text: FormText): Answer {
  const { before, controls, button, isLine, cancel, after, ...page } = text
  const { message, problems, status, wait } = refused
  const form =
    button &&
    html`<form class="stack" method="post" action="${address}">
      ${controls}<button class="btn ${isLine && 'btn--line '}btn--wide">${button}</button>${cancel}
    </form>`
  const content = html`${alert(tooMany(wait, message) ?? message, problems)} ${before}${form}${after}`
  return renderPage(look, { ...page, content, status, wait })
}

/** A hidden field that shows password managers whose password the form sets. */
export const ownerField = (email: string) =>
  html`<input type="email" autocomplete="username" value="${email}" readonly hidden />`

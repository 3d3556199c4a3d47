import { createHash } from 'node:crypto'
import type { Answer } from '../../kit/handle.server.ts'
import { COMMON, pageHeaders, PERSONAL } from '../../kit/serve/headers.server.ts'
import { type Html, html, trustedHtml } from '../../kit/html.server.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../accounts/account.rules.ts'
import { MAX_EMAIL_LENGTH } from '../accounts/email.rules.ts'
import { mark, mode, script, side, style } from './assets.server.ts'

const MODE_TAG = trustedHtml(`<script>${mode}</script>`)
const MODE_HASH = `'sha256-${createHash('sha256').update(mode).digest('base64')}'`

export type Look = { storeName: string; isTls: boolean }

export type PageText = {
  title: string
  lead?: Html | string
  content: Html | Html[]
  status?: number
  headers?: Record<string, string | string[]>
  /** The URL contains a secret, so other sites must not get it as referrer. */
  isSecret?: boolean
  refresh?: number
  isWide?: boolean
  hasScript?: boolean
  /** Seconds to wait. The default status is then 429. */
  wait?: number
}

export function renderPage(look: Look, page: PageText): Answer {
  const { title, lead, content, wait, status = wait ? 429 : 200, headers, isSecret, refresh, isWide, hasScript } = page
  const isRefused = status >= 400
  const body = html`<!doctype html>
    <html lang="en" data-theme="royal-blue" data-mode="light">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="robots" content="noindex" />
        ${MODE_TAG} ${refresh !== undefined && html`<meta http-equiv="refresh" content="${refresh}" />`}
        <title>${isRefused && 'Problem: '}${title} · ${look.storeName}</title>
        <link rel="stylesheet" href="${style.address}" />
        ${hasScript && html`<script type="module" src="${script.address}"></script>`}
      </head>
      <body>
        <div class="sign">
          <main class="form">
            <a class="brand" href="/">${mark}<span>${look.storeName}</span></a>
            <div class="box${isWide && ' box--wide'}">
              <div>
                <h1>${title}</h1>
                ${lead && html`<p class="lead">${lead}</p>`}
              </div>
              ${content}
            </div>
          </main>
          ${side}
        </div>
      </body>
    </html> `
  return {
    status,
    headers: {
      ...pageHeaders({ scripts: [MODE_HASH], isTls: look.isTls }),
      'cache-control': PERSONAL,
      // with 'no-referrer', the page's own form would send 'Origin: null', which the origin check rejects
      ...(isSecret && { 'referrer-policy': 'strict-origin' }),
      ...(wait && { 'retry-after': String(wait) }),
      ...headers,
    },
    body: body.html,
  }
}

export const renderNotice = (
  look: Look,
  { actions, hint, ...text }: Omit<PageText, 'content'> & { actions: [label: string, href: string][]; hint?: string },
): Answer =>
  renderPage(look, {
    isSecret: true,
    ...text,
    content: html`<div class="stack">
        ${actions.map(([label, href], i) => html`<a class="btn ${i > 0 && 'btn--line '}btn--wide" href="${href}">${label}</a>`)}
      </div>
      ${hint && html`<p class="hint">${hint}</p>`}`,
  })

export const withCookies = (answer: Answer, cookies: string[]): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'set-cookie': [...[answer.headers?.['set-cookie'] ?? []].flat(), ...cookies] },
})

export function redirect(
  to: string,
  { status = 303, cookies = [] }: { status?: 302 | 303; cookies?: string[] } = {},
): Answer {
  return {
    status,
    headers: {
      ...COMMON,
      location: to,
      'cache-control': PERSONAL,
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    },
  }
}

export type Field = {
  name: string
  label: string
  type: 'text' | 'email' | 'password'
  autocomplete: string
  value?: string
  hint?: string
  shortest?: number
  longest: number
}

export const emailField = (value: string | undefined, autocomplete = 'username'): Field => ({
  name: 'email',
  label: 'Email',
  type: 'email',
  autocomplete,
  value,
  longest: MAX_EMAIL_LENGTH,
})

export const currentPasswordField: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  longest: MAX_PASSWORD_LENGTH,
}

export const newPasswordField: Field = {
  ...currentPasswordField,
  autocomplete: 'new-password',
  hint: `At least ${MIN_PASSWORD_LENGTH} characters. A few unusual words work well.`,
  shortest: MIN_PASSWORD_LENGTH,
}

/** Renders fields with their values, except passwords. Focuses the first field with a problem, or else an empty one. */
export function fields(all: Field[], problems: Problems = {}, summaryId?: string): Html[] {
  const first = all.find(({ name }) => problems[name]) ?? all.find(({ value }) => !value)
  return all.map((field) => {
    const { name, label, type, autocomplete, value, hint, shortest, longest } = field
    const problem = problems[name]
    const about = [problem && `${name}-problem`, hint && `${name}-hint`, summaryId].filter(Boolean).join(' ')
    return html`<div class="field">
      <label for="${name}">${label}</label>
      <input
        class="input"
        id="${name}"
        name="${name}"
        type="${type}"
        autocomplete="${autocomplete}"
        maxlength="${longest}"
        ${shortest && html` minlength="${shortest}"`}${type === 'email' && html` inputmode="email" spellcheck="false" autocapitalize="none"`}${type !== 'password' && value && html` value="${value}"`}
        required${problem && html` aria-invalid="true"`}${about && html` aria-describedby="${about}"`}${field === first && html` autofocus`}
      />
      ${problem && html`<p class="error" id="${name}-problem">${problem}</p>`}${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    </div>`
  })
}

export type Problems = Record<string, string | null | undefined>
export const hasProblem = (problems: Problems) => Object.values(problems).some(Boolean)

export function alert(message: Html | string | undefined, problems: Problems = {}): Html | false {
  const text = message ?? (hasProblem(problems) && 'That didn’t work. Check the fields marked below.')
  return text ? html`<p class="note note--bad" id="summary" role="alert">${text}</p>` : false
}

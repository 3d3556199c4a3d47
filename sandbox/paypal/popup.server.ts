import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer } from '../../src/kit/handle.server.ts'
import { pageHeaders } from '../../src/kit/serve/headers.server.ts'
import { type Html, html, trustedHtml } from '../../src/kit/html.server.ts'
import { centsOf } from './order.rules.ts'
import { type Order, priceText, type SetupToken } from './wire.server.ts'

// The pages of the payment window.

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const STYLE = read('popup.css')
const SCRIPT = read('popup.js')
// one piece, because the policy's hash is of every letter between the tags
const SCRIPT_TAG = trustedHtml(`<script type="module">${SCRIPT}</script>`)
const SCRIPT_HASH = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`

/** How the shop shows the window; without one, the payer came by a link and goes back by one. */
export type Mode = 'popup' | 'modal' | ''
export const modeOf = (text: string | null): Mode => (text === 'popup' || text === 'modal' ? text : '')

const MARK = trustedHtml(
  '<svg viewBox="0 0 30 30" aria-hidden="true"><path fill="currentColor" d="M5 1h20a4 4 0 0 1 4 4v6.5a3.5 3.5 0 0 0 0 7V25a4 4 0 0 1-4 4H5a4 4 0 0 1-4-4v-6.5a3.5 3.5 0 0 0 0-7V5a4 4 0 0 1 4-4z"/><path class="one" d="M17.4 7v16h-4V11.8l-3.2 1.6V9.7L14.4 7z"/></svg>',
)

function renderPage(content: Html, { status = 200, isTls = false } = {}): Answer {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Pay in the sandbox</title>
        <link rel="icon" href="/favicon.svg" />
        <style>
          ${trustedHtml(STYLE)}
        </style>
      </head>
      <body>
        <header class="notice">Payment sandbox. No money moves.</header>
        ${content} ${SCRIPT_TAG}
      </body>
    </html>`
  return {
    status,
    headers: {
      ...pageHeaders({ scripts: [SCRIPT_HASH], isTls, mayBeFramed: true }),
      'cache-control': 'private, no-store',
    },
    body: page.html,
  }
}

type Options = { mode: Mode; isTls: boolean }

const brandLine = (brand: string) => html`<p class="brand">${MARK}<span>${brand}</span></p>`

const hidden = (fields: Record<string, string>) =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)

/** What the window shows until the shop has an order. */
export const waitingPage = (storeName: string, isTls: boolean) =>
  renderPage(
    html`<main>
      ${brandLine(storeName)}
      <h1>Pay in the sandbox</h1>
      <p class="muted" role="status">One moment, the order is being prepared.</p>
    </main>`,
    { isTls },
  )

export function paymentPage({ id, unit, brand, keep }: Order, { mode, isTls }: Options) {
  const currency = unit.amount.currency_code
  const lines = (unit.items ?? []).map((item) => {
    const isMany = item.quantity !== '1'
    const cents = centsOf(item.unit_amount) * Number(item.quantity)
    return html`<div>
      <dt>${item.name}${isMany && ` × ${item.quantity}`}</dt>
      <dd>${priceText(cents, currency)}</dd>
    </div>`
  })
  const price = priceText(centsOf(unit.amount), currency)
  const { discount } = unit.amount.breakdown ?? {}
  return renderPage(
    html`<main>
      ${brandLine(brand)}
      <h1>Pay in the sandbox</h1>
      <div class="ticket">
        <dl class="receipt">
          ${lines}
          ${
            discount &&
            html`<div>
              <dt>Discount</dt>
              <dd>−${priceText(centsOf(discount), currency)}</dd>
            </div>`
          }
          <div class="total">
            <dt>Total</dt>
            <dd>${price}</dd>
          </div>
        </dl>
        <form method="post" action="checkoutnow">
          ${hidden({ token: id, mode })}
          ${
            keep &&
            html`<label class="check"
              ><input type="checkbox" name="keep" value="1" /> Save this wallet for next time</label
            >`
          }
          <button class="btn btn--primary" name="choice" value="pay">Pay ${price}</button>
          <button class="btn" name="choice" value="decline">Decline this payment</button>
          <button class="btn btn--quiet" name="choice" value="cancel">Cancel and return</button>
        </form>
      </div>
      <p class="muted">
        ‘Decline this payment’ pays with a card that the bank refuses, to see what ${brand} does then.
      </p>
    </main>`,
    { isTls },
  )
}

export const keepingPage = ({ id, brand }: SetupToken, { mode, isTls }: Options) =>
  renderPage(
    html`<main>
      ${brandLine(brand)}
      <h1>Save your wallet</h1>
      <div class="ticket">
        <p>
          ${brand} may charge this sandbox wallet when you buy with one click. You can remove it in ${brand} at any
          time.
        </p>
        <form method="post" action="approve">
          ${hidden({ approval_session_id: id, mode })}
          <button class="btn btn--primary" name="choice" value="pay">Save this wallet</button>
          <button class="btn btn--quiet" name="choice" value="cancel">Cancel and return</button>
        </form>
      </div>
    </main>`,
    { isTls },
  )

/** Nothing to pay here; `action` is where 'Return to the shop' posts. */
export const refusedPage = (
  message: string,
  { action, fields, status, mode, isTls }: Options & { action: string; fields: Record<string, string>; status: number },
) =>
  renderPage(
    html`<main>
      <h1>${message}</h1>
      <p class="muted">Go back to the shop and start the payment again.</p>
      <form method="post" action="${action}">
        ${hidden({ ...fields, mode })}
        <button class="btn btn--primary" name="choice" value="cancel">Return to the shop</button>
      </form>
    </main>`,
    { status, isTls },
  )

export type Ending = { outcome: 'approved' | 'canceled'; token: string; payerId: string | null; back: string | null }

/** Tells the shop's page and goes away; the link is for a browser where it cannot. */
export const endingPage = ({ outcome, token, payerId, back }: Ending, { mode, isTls }: Options) =>
  renderPage(
    html`<main
      data-outcome="${outcome}"
      data-token="${token}"
      data-payer="${payerId ?? ''}"
      data-mode="${mode}"
      data-back="${back ?? ''}"
    >
      <h1>${outcome === 'approved' ? 'Payment approved' : 'Payment canceled'}</h1>
      <p class="muted">
        ${back && mode === '' ? html`<a href="${back}">Return to the shop</a>` : 'You can close this window and return to the shop.'}
      </p>
    </main>`,
    { isTls },
  )

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../src/kit/failure.ts'
import { type Answer, handleRaw, type RawRoute } from '../../src/kit/handle.server.ts'
import { type Html, html, trustedHtml } from '../../src/kit/html.server.ts'
import { toDecimal } from '../../src/kit/money.ts'
import { COMMON, pageHeaders } from '../../src/kit/serve/headers.server.ts'
import { readEntry } from '../store.server.ts'
import type { Sandbox } from './call.server.ts'
import { centsOf } from './forms.server.ts'
import { choose, isAlive } from './orders.server.ts'
import type { Order } from './wire.server.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const SDK = read('sdk.js')
const STYLE = trustedHtml(`<style>${read('../page.css')}</style>`)
const SCRIPT = read('popup.js')
const MARK = trustedHtml(read('mark.svg').trim())
// Contains no whitespace of the template, because the hash covers every byte between the tags.
const SCRIPT_TAG = trustedHtml(`<script type="module">${SCRIPT}</script>`)
const SCRIPT_HASH = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`

const UNKNOWN = 'This payment is not known, or it has expired'
const COMPLETE = 'This payment is complete already'

export function popupRoutes(sandbox: Sandbox): RawRoute[] {
  const { pool, storeName } = sandbox
  const answer = (content: Html, status = 200) => answerPage(sandbox, content, status)
  const refuse = (token: string, mode: string, status: number) =>
    answer(refusedPage(status === 409 ? COMPLETE : UNKNOWN, { token, mode }), status)

  return [
    handleRaw(
      'GET /sandbox/paypal/web-sdk/v6/core',
      { access: 'public', about: "The sandbox's browser script, in place of the provider's version 6." },
      async () => ({
        status: 200,
        headers: {
          ...COMMON,
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'public, max-age=300',
        },
        body: SDK,
      }),
    ),

    handleRaw(
      'GET /sandbox/paypal/checkoutnow',
      { access: 'public', about: 'The payment window.' },
      async ({ query }) => {
        const token = query.get('token')
        if (!token) return answer(waitingPage(storeName))
        const mode = query.get('mode') ?? ''
        const order = await readEntry<Order>(pool, 'order', token)
        if (!isAlive(order)) return refuse(token, mode, 404)
        return order.status === 'COMPLETED' ? refuse(token, mode, 409) : answer(paymentPage(order, mode))
      },
    ),

    handleRaw(
      'POST /sandbox/paypal/checkoutnow',
      { access: 'public', about: "The payer's choice in the payment window.", body: 'bytes', bodyLimit: 8192 },
      async ({ body }) => {
        const fields = new URLSearchParams(body.toString('utf8'))
        const token = fields.get('token') ?? ''
        const mode = fields.get('mode') ?? ''
        const choice = fields.get('choice')
        if (choice !== 'pay' && choice !== 'decline') return answer(endingPage('canceled', token, mode))
        try {
          await choose(sandbox, token, choice, { isKeeping: fields.get('keep') === '1' })
          return answer(endingPage('approved', token, mode))
        } catch (error) {
          if (error instanceof Failure) return refuse(token, mode, error.status)
          throw error
        }
      },
    ),
  ]
}

export const answerPage = ({ base }: Pick<Sandbox, 'base'>, content: Html, status = 200): Answer => ({
  status,
  headers: {
    ...pageHeaders({ scripts: [SCRIPT_HASH], isTls: base.startsWith('https:'), mayBeFramed: true }),
    'cache-control': 'private, no-store',
  },
  body: pageOf(content),
})

const pageOf = (content: Html) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Pay in the sandbox</title>
        <link rel="icon" href="/favicon.svg" />
        ${STYLE}
      </head>
      <body>
        <header class="notice">Payment sandbox. No money moves.</header>
        ${content} ${SCRIPT_TAG}
      </body>
    </html>`.html

export const brandLine = (brand: string) => html`<p class="brand">${MARK}<span>${brand}</span></p>`

export const hidden = (fields: Record<string, string>) =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)

const waitingPage = (storeName: string) =>
  html`<main>
    ${brandLine(storeName)}
    <h1>Pay in the sandbox</h1>
    <p class="muted" role="status">One moment, the order is being prepared.</p>
    <div data-late="This took too long. Close this window and press Finish payment in the store." hidden>
      <button class="btn" type="button">Close this window</button>
    </div>
  </main>`

function paymentPage({ id, unit, brand, keep }: Order, mode: string) {
  const row = (label: string, value: string, className = '') =>
    html`<div class="${className}">
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>`
  const price = `$${unit.amount.value}`
  const { discount } = unit.amount.breakdown
  return html`<main>
    ${brandLine(brand)}
    <h1>Pay in the sandbox</h1>
    <div class="ticket">
      <dl class="receipt">
        ${unit.items.map(({ name, quantity, unit_amount: amount }) =>
          row(quantity === '1' ? name : `${name} × ${quantity}`, `$${toDecimal(centsOf(amount) * Number(quantity))}`),
        )}
        ${discount && row('Discount', `−$${discount.value}`)} ${row('Total', price, 'total')}
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
    <p class="muted">‘Decline this payment’ pays with a card that the bank refuses, to see what ${brand} does then.</p>
  </main>`
}

const refusedPage = (message: string, fields: Record<string, string>) =>
  html`<main>
    <h1>${message}</h1>
    <p class="muted">Go back to the shop and start the payment again.</p>
    <form method="post" action="checkoutnow">
      ${hidden(fields)}
      <button class="btn btn--primary" name="choice" value="cancel">Return to the shop</button>
    </form>
  </main>`

const endingPage = (outcome: 'approved' | 'canceled', token: string, mode: string) =>
  html`<main data-outcome="${outcome}" data-token="${token}" data-mode="${mode}">
    <h1>${outcome === 'approved' ? 'Payment approved' : 'Payment canceled'}</h1>
    <p class="muted">You can close this window and return to the shop.</p>
  </main>`

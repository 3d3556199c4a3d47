import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../src/kit/failure.ts'
import { type Answer, handleRaw, type RawRoute } from '../../src/kit/handle.server.ts'
import { type Html, html, trustedHtml } from '../../src/kit/html.server.ts'
import { toDecimal } from '../../src/kit/money.ts'
import { pageHeaders } from '../../src/kit/serve/headers.server.ts'
import { readEntry } from '../store.server.ts'
import type { Sandbox } from './call.server.ts'
import { TEST_CARDS } from './cards.server.ts'
import { answerBank } from './intents.server.ts'
import { asOfNow, choose } from './sessions.server.ts'
import type { Intent, Session } from './wire.server.ts'

// Renders the hosted payment page on the server. It works without JavaScript.

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const STYLE = trustedHtml(`<style>${read('../page.css')}${read('page.css')}</style>`)
const MARK = trustedHtml(read('../paypal/mark.svg').trim())

export function pageRoutes(sandbox: Sandbox): RawRoute[] {
  const { pool, storeName } = sandbox
  const answer = (content: Html, status = 200): Answer => ({
    status,
    headers: {
      ...pageHeaders({ isTls: sandbox.base.startsWith('https:') }),
      'cache-control': 'private, no-store',
    },
    body: pageOf(content),
  })

  async function show(id: string, problem?: string): Promise<Answer> {
    const stored = await readEntry<Session>(pool, 'stripe_session', id)
    const session = stored && asOfNow(stored)
    if (!session) return answer(overPage('This payment is not known', null), 404)
    if (session.status === 'complete')
      return answer(overPage('This payment is complete already', session.success_url), 409)
    if (session.status === 'expired') return answer(overPage('This payment has expired', session.cancel_url), 410)
    const intent = session.payment_intent && (await readEntry<Intent>(pool, 'stripe_intent', session.payment_intent))
    if (intent && intent.status === 'requires_action') return answer(bankPage(session))
    return answer(paymentPage(session, storeName, problem))
  }

  return [
    handleRaw(
      'GET /sandbox/stripe/bank/:id',
      { access: 'public', about: 'The page of a bank that asks about a saved card.' },
      async ({ params }) => {
        const intent = await readEntry<Intent>(pool, 'stripe_intent', params.id)
        if (intent?.status !== 'requires_action' || !intent.next_action)
          return answer(overPage('The bank does not ask about this payment', null), 404)
        return answer(bankPage({ id: intent.id, amount_total: intent.amount }))
      },
    ),
    handleRaw(
      'POST /sandbox/stripe/bank/:id',
      { access: 'public', about: 'The answer to the bank.', body: 'bytes', bodyLimit: 8192 },
      async ({ params, body }) => {
        const isConfirmed = new URLSearchParams(body.toString('utf8')).get('bank') === 'complete'
        try {
          return { status: 303, headers: { location: await answerBank(sandbox, params.id, isConfirmed) }, body: '' }
        } catch (error) {
          if (error instanceof Failure) return answer(overPage(error.message, null), error.status)
          throw error
        }
      },
    ),
    handleRaw(
      'GET /sandbox/stripe/pay/:id',
      { access: 'public', about: 'The hosted page of a payment.' },
      ({ params }) => show(params.id),
    ),
    handleRaw(
      'POST /sandbox/stripe/pay/:id',
      { access: 'public', about: "The payer's choice on the hosted page.", body: 'bytes', bodyLimit: 8192 },
      async ({ params, body }) => {
        const fields = new URLSearchParams(body.toString('utf8'))
        const bank = fields.get('bank')
        const number = (fields.get('number') ?? '').replace(/\D/g, '')
        try {
          const step = await choose(
            sandbox,
            params.id,
            bank
              ? { kind: 'bank', isConfirmed: bank === 'complete' }
              : { kind: 'card', number, isKept: fields.has('save') },
          )
          if (step.kind === 'paid') return { status: 303, headers: { location: step.session.success_url }, body: '' }
          return await show(params.id, step.kind === 'declined' ? step.message : undefined)
        } catch (error) {
          if (error instanceof Failure) return show(params.id)
          throw error
        }
      },
    ),
  ]
}

const pageOf = (content: Html) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Pay by card in the sandbox</title>
        <link rel="icon" href="/favicon.svg" />
        ${STYLE}
      </head>
      <body>
        <header class="notice">Stand-in for Stripe. No real money moves. Never enter a real card.</header>
        ${content}
      </body>
    </html>`.html

const usd = (cents: number) => `$${toDecimal(cents)}`

function paymentPage(
  { id, mode, _lines, _isAsking, _isSaving, amount_total: total, cancel_url: back }: Session,
  storeName: string,
  problem?: string,
) {
  const isSetup = mode === 'setup'
  const row = (label: string, value: string, className = '') =>
    html`<div class="${className}">
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>`
  return html`<main>
    <p class="brand">${MARK}<span>${storeName}</span></p>
    <h1>${isSetup ? 'Save a card' : 'Pay by card'}</h1>
    <div class="ticket">
      ${
        !isSetup &&
        html`<dl class="receipt">
          ${_lines.map(({ name, quantity, cents }) =>
            row(quantity === 1 ? name : `${name} × ${quantity}`, usd(cents * quantity)),
          )}
          ${row('Total', usd(total), 'total')}
        </dl>`
      }
      <form method="post" action="${id}">
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
        <label class="field">
          Card number
          <input name="number" value="4242 4242 4242 4242" inputmode="numeric" autocomplete="off" required />
        </label>
        <div class="pair">
          <label class="field">Expiry <input name="expiry" value="12 / 34" autocomplete="off" /></label>
          <label class="field">CVC <input name="cvc" value="123" inputmode="numeric" autocomplete="off" /></label>
        </div>
        ${
          _isAsking &&
          html`<label class="check">
            <input type="checkbox" name="save" />
            Save this card, so that ${storeName} charges it when you buy in one step
          </label>`
        }
        <button class="btn btn--primary">${isSetup ? 'Save card' : `Pay ${usd(total)}`}</button>
        <a class="btn btn--quiet" href="${back}">Cancel and return</a>
        ${
          _isSaving &&
          !_isAsking &&
          html`<p class="muted small">
            By ${isSetup ? 'saving it' : 'paying'} you allow ${storeName} to keep this card and to charge it when you
            buy in one step.
          </p>`
        }
      </form>
    </div>
    <section class="cards" aria-labelledby="cards">
      <h2 id="cards">Test cards</h2>
      <dl>
        ${TEST_CARDS.map(
          ({ number, says }) =>
            html`<div>
              <dt>${number.replace(/\d{4}(?=\d)/g, '$& ')}</dt>
              <dd>${says}</dd>
            </div>`,
        )}
      </dl>
    </section>
  </main>`
}

const bankPage = ({ id, amount_total: total }: Pick<Session, 'id' | 'amount_total'>) =>
  html`<main>
    <h1>3-D Secure</h1>
    <div class="ticket">
      <p>The bank of this card asks: is this payment of ${usd(total)} yours?</p>
      <form method="post" action="${id}">
        <button class="btn btn--primary" name="bank" value="complete">Complete</button>
        <button class="btn" name="bank" value="fail">Fail</button>
      </form>
    </div>
    <p class="muted">‘Complete’ confirms the payment. ‘Fail’ is a buyer whom the bank does not recognize.</p>
  </main>`

const overPage = (title: string, back: string | null) =>
  html`<main>
    <h1>${title}</h1>
    ${back ? html`<a class="btn btn--primary" href="${back}">Return to the shop</a>` : html`<p class="muted">Go back to the shop and start the payment again.</p>`}
  </main>`

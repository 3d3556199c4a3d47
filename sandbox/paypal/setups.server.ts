import { z } from 'zod'
import { type Answer, handleRaw, type RawRoute } from '../../src/kit/handle.server.ts'
import { html } from '../../src/kit/html.server.ts'
import { createId, inTransaction, lockEntry, readEntry, writeEffects } from '../store.server.ts'
import { callsOf, type Sandbox } from './call.server.ts'
import { createEvent } from './events.server.ts'
import { readForm } from './forms.server.ts'
import { answerPage, brandLine, hidden } from './popup.server.ts'
import { refusalFor } from './refusals.server.ts'
import { BUYER, nowText, type PaymentToken, type SetupToken, showPaymentToken, showSetupToken } from './wire.server.ts'

const url = z.url({ protocol: /^https?$/ }).max(4000)
const SetupRequest = z.object({
  payment_source: z.object({
    paypal: z.object({
      usage_type: z.literal('MERCHANT'),
      experience_context: z.object({
        brand_name: z.string().min(1).max(127).optional(),
        vault_instruction: z.literal('ON_PAYER_APPROVAL'),
        return_url: url,
        cancel_url: url,
      }),
    }),
  }),
  customer: z
    .object({
      merchant_customer_id: z
        .string()
        .regex(/^[\w.^*$@#-]{1,64}$/)
        .optional(),
    })
    .optional(),
})
const TokenRequest = z.object({
  payment_source: z.object({ token: z.object({ id: z.string().min(1).max(36), type: z.literal('SETUP_TOKEN') }) }),
})

const LIFE_MS = 3 * 3_600_000
const isOver = ({ createTime }: SetupToken) => Date.parse(nowText()) - Date.parse(createTime) > LIFE_MS
const entryOf = (setup: SetupToken) => ({ kind: 'setup_token', id: setup.id, body: setup })
const TAG = 'The page where a payer saves a wallet.'

export function setupRoutes(sandbox: Sandbox): RawRoute[] {
  const { pool, base } = sandbox
  const { read, write } = callsOf(sandbox)
  const find = async (id: string) => {
    const setup = await readEntry<SetupToken>(pool, 'setup_token', id)
    return setup && !isOver(setup) ? setup : undefined
  }

  return [
    write('POST /v3/vault/setup-tokens', 'Opens the saving of a wallet.', { locks: false }, async ({ body }) => {
      const { payment_source: source, customer } = readForm(SetupRequest, body)
      const { brand_name: brand, return_url: returnUrl, cancel_url: cancelUrl } = source.paypal.experience_context
      const setup: SetupToken = {
        ...{ id: createId(), status: 'PAYER_ACTION_REQUIRED', owner: customer?.merchant_customer_id ?? null },
        ...{ brand: brand ?? sandbox.storeName, returnUrl, cancelUrl, createTime: nowText() },
      }
      return { status: 201, body: showSetupToken(base, setup), entries: [entryOf(setup)] }
    }),

    read('GET /v3/vault/setup-tokens/:id', 'The saving of a wallet.', async ({ params }) => {
      const setup = await find(params.id)
      return setup ? showSetupToken(base, setup) : null
    }),

    write('POST /v3/vault/payment-tokens', 'Saves an approved wallet.', { locks: true }, async ({ body }, client) => {
      const { id } = readForm(TokenRequest, body).payment_source.token
      const setup = await lockEntry<SetupToken>(client, 'setup_token', id)
      const field = { field: '/payment_source/token/id', location: 'body' as const }
      if (!setup || isOver(setup) || setup.status === 'VAULTED') throw refusalFor('TOKEN_ID_NOT_FOUND', field)
      if (setup.status !== 'APPROVED') throw refusalFor('PAYER_ACTION_REQUIRED', field)
      const token: PaymentToken = { id: createId(8).toLowerCase(), payer: BUYER }
      const shown = showPaymentToken(base, token)
      return {
        ...{ status: 201, body: shown },
        entries: [entryOf({ ...setup, status: 'VAULTED' }), { kind: 'payment_token', id: token.id, body: token }],
        events: [createEvent(sandbox, 'VAULT.PAYMENT-TOKEN.CREATED', shown)],
      }
    }),

    handleRaw('GET /sandbox/paypal/agreements/approve', { access: 'public', about: TAG }, async ({ query }) => {
      const setup = await find(query.get('approval_session_id') ?? '')
      if (setup?.status !== 'PAYER_ACTION_REQUIRED') return gone()
      return answerPage(
        sandbox,
        html`<main>
          ${brandLine(setup.brand)}
          <h1>Save your account</h1>
          <p>${setup.brand} can charge it when you buy. Nothing is charged now.</p>
          <form method="post" action="approve">
            ${hidden({ id: setup.id })}
            <button class="btn btn--primary" name="choice" value="save">Save this account</button>
            <button class="btn btn--quiet" name="choice" value="cancel">Cancel and return</button>
          </form>
        </main>`,
      )
    }),

    handleRaw(
      'POST /sandbox/paypal/agreements/approve',
      { access: 'public', about: TAG, body: 'bytes', bodyLimit: 4096 },
      async ({ body }) => {
        const fields = new URLSearchParams(body.toString('utf8'))
        const back = await inTransaction(pool, async (client) => {
          const setup = await lockEntry<SetupToken>(client, 'setup_token', fields.get('id') ?? '')
          if (setup?.status !== 'PAYER_ACTION_REQUIRED' || isOver(setup)) return null
          if (fields.get('choice') !== 'save') return setup.cancelUrl
          await writeEffects(client, [entryOf({ ...setup, status: 'APPROVED' })], [])
          return setup.returnUrl
        })
        return back === null ? gone() : redirect(back)
      },
    ),
  ]

  function gone(): Answer {
    const content = html`<main>
      <h1>This request is not known, or it has ended</h1>
      <p class="muted">Go back to the shop and start again.</p>
    </main>`
    return answerPage(sandbox, content, 404)
  }
}

const redirect = (location: string): Answer => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store' },
  body: '',
})

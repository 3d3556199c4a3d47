import type { RawRoute } from '../../src/kit/handle.server.ts'
import { type Client, createId, lockEntry, readEntry, readTokensOf, removeEntry } from './store.server.ts'
import { type Sandbox, sandboxRead, sandboxWrite } from './call.server.ts'
import { createEvent } from './events.server.ts'
import { PaymentTokenRequest, readForm, SetupRequest } from './order.rules.ts'
import { notFound, refusalFor } from './refusal.ts'
import type { Choice } from './orders.server.ts'
import { BUYER, nowText, type PaymentToken, type SetupToken, showPaymentToken, showSetupToken } from './wire.server.ts'

export function vaultRoutes(sandbox: Sandbox): RawRoute[] {
  const { base } = sandbox
  return [
    sandboxWrite(
      sandbox,
      'POST /sandbox/paypal/v3/vault/setup-tokens',
      { about: "Asks for a payer's leave to keep a wallet." },
      async ({ body }) => {
        const { customer, payment_source } = readForm(SetupRequest, body)
        const context = payment_source.paypal.experience_context
        const token: SetupToken = {
          id: createId(),
          customerId: customer?.id ?? `customer_${createId(10)}`,
          status: 'PAYER_ACTION_REQUIRED',
          brand: context?.brand_name ?? sandbox.storeName,
          returnUrl: context?.return_url ?? null,
          cancelUrl: context?.cancel_url ?? null,
          createTime: nowText(),
        }
        return {
          status: 201,
          body: showSetupToken(base, token),
          entries: [{ kind: 'setup_token', id: token.id, body: token }],
        }
      },
    ),

    sandboxRead(
      sandbox,
      'GET /sandbox/paypal/v3/vault/setup-tokens/:id',
      { about: 'Whether the payer gave leave.' },
      async ({ params }) => {
        const token = await readEntry<SetupToken>(sandbox.pool, 'setup_token', params.id!)
        if (!token) throw notFound()
        return { status: 200, body: showSetupToken(base, token) }
      },
    ),

    sandboxWrite(
      sandbox,
      'POST /sandbox/paypal/v3/vault/payment-tokens',
      { about: 'Turns an approved setup token into a saved wallet.' },
      async ({ body }, client) => {
        const { id } = readForm(PaymentTokenRequest, body).payment_source.token
        const setup = await lockEntry<SetupToken>(client, 'setup_token', id)
        if (!setup)
          throw refusalFor('TOKEN_ID_NOT_FOUND', { field: '/payment_source/token/id', value: id, location: 'body' })
        if (setup.status === 'VAULTED') throw refusalFor('SETUP_TOKEN_ALREADY_TOKENIZED')
        if (setup.status !== 'APPROVED') throw refusalFor('PAYER_ACTION_REQUIRED')
        const token: PaymentToken = {
          id: createId(8).toLowerCase(),
          customerId: setup.customerId,
          payer: BUYER,
          createTime: nowText(),
        }
        const shown = showPaymentToken(base, token)
        return {
          status: 201,
          body: shown,
          entries: [
            { kind: 'setup_token', id, body: { ...setup, status: 'VAULTED' } },
            { kind: 'payment_token', id: token.id, body: token },
          ],
          events: [createEvent(sandbox, 'VAULT.PAYMENT-TOKEN.CREATED', shown)],
        }
      },
    ),

    sandboxRead(
      sandbox,
      'GET /sandbox/paypal/v3/vault/payment-tokens',
      { about: "A customer's saved wallets." },
      async ({ query }) => {
        const customerId = query.get('customer_id')
        if (!customerId) throw refusalFor('MISSING_REQUIRED_PARAMETER', { field: 'customer_id' })
        const tokens = await readTokensOf<PaymentToken>(sandbox.pool, customerId)
        const self = `${base}/v3/vault/payment-tokens?customer_id=${encodeURIComponent(customerId)}`
        return {
          status: 200,
          body: {
            customer: { id: customerId },
            payment_tokens: tokens.map((token) => showPaymentToken(base, token)),
            total_items: tokens.length,
            total_pages: 1,
            links: [{ href: self, rel: 'self', method: 'GET' }],
          },
        }
      },
    ),

    sandboxRead(
      sandbox,
      'GET /sandbox/paypal/v3/vault/payment-tokens/:id',
      { about: 'A saved wallet.' },
      async ({ params }) => {
        const token = await readEntry<PaymentToken>(sandbox.pool, 'payment_token', params.id!)
        if (!token) throw notFound()
        return { status: 200, body: showPaymentToken(base, token) }
      },
    ),

    sandboxWrite(
      sandbox,
      'DELETE /sandbox/paypal/v3/vault/payment-tokens/:id',
      { about: 'Forgets a saved wallet.' },
      async ({ params }, client) => {
        const token = await lockEntry<PaymentToken>(client, 'payment_token', params.id!)
        if (!token) throw notFound()
        await removeEntry(client, 'payment_token', token.id)
        const shown = showPaymentToken(base, token)
        return { status: 204, body: null, events: [createEvent(sandbox, 'VAULT.PAYMENT-TOKEN.DELETED', shown)] }
      },
    ),
  ]
}

/** The payer's leave, given in the window or at a test's door. */
export async function chooseToKeep(client: Client, id: string, choice: Choice) {
  const token = await lockEntry<SetupToken>(client, 'setup_token', id)
  if (!token || token.status === 'VAULTED' || choice !== 'pay') return { token, entries: [] }
  const approved: SetupToken = { ...token, status: 'APPROVED' }
  return { token: approved, entries: [{ kind: 'setup_token' as const, id, body: approved }] }
}

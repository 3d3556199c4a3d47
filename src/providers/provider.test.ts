import { expect, test } from 'vitest'
import { openKeys, signEvent } from '../../sandbox/paypal/keys.server.ts'
import { saveSandboxWallet } from '../../sandbox/paypal/wallets.server.ts'
import { saveSandboxCard } from '../../sandbox/stripe/cards.server.ts'
import { signEvent as signStripeEvent } from '../../sandbox/stripe/keys.server.ts'
import { createFake, signatureOf } from '../../test/fakeProvider/fakeProvider.ts'
import { provider } from '../../test/provider.ts'
import { openTestShop } from '../../test/shop.ts'
import { openStripeShop, stripeOf } from '../../test/stripe.ts'
import { describeProvider, type ProviderStage } from '../../test/providerSuite.ts'
import { refuseMixed } from './providers.server.ts'

describeProvider('PayPal on its stand-in', async (): Promise<ProviderStage> => {
  const shop = await openTestShop({ BONUS_PERCENT: '0' })
  const { pool, db } = shop.database
  const keys = await openKeys(pool)
  const { approve, decline, setFaults } = provider(shop)
  // the suite posts the events itself
  const setFault = (fault: string | null) =>
    setFaults({ rate: 1, kinds: ['webhook_lost', ...(fault ? [fault === 'away' ? 'error' : fault] : [])] })
  await setFault(null)
  return {
    shop,
    approve,
    decline,
    setFault,
    show: async (ref, { state, currency, cents }) => {
      const status = state && { captured: 'COMPLETED', pending: 'PENDING', declined: 'FAILED' }[state]
      const change = JSON.stringify({
        ...(status && { status }),
        ...(currency && { currency }),
        ...(cents && { cents }),
      })
      await pool.query(
        `UPDATE sandbox.records SET body = (body::jsonb || $2::jsonb)::json WHERE kind = 'capture' AND order_id = $1`,
        [ref, change],
      )
    },
    takenOf: async (id) => {
      const { rows } = await pool.query<{ cents: number; refundedCents: number }>(
        `SELECT (body->>'cents')::int AS cents, (body->>'refundedCents')::int AS "refundedCents" FROM sandbox.records
         WHERE kind = 'capture' AND body->>'customId' = $1 AND body->>'status' <> 'DECLINED'`,
        [id],
      )
      return rows[0] ?? null
    },
    eventOf: async (ref) => {
      const { rows } = await pool.query<{ id: string; body: string }>(
        `SELECT id, body FROM sandbox.events WHERE event_type = 'PAYMENT.CAPTURE.COMPLETED' AND body LIKE '%' || $1 || '%'`,
        [ref],
      )
      const { id, body } = rows[0]!
      return { id, body, headers: await signEvent(keys, `${shop.url}/sandbox/paypal`, body) }
    },
    saveMethod: async (email) => (await saveSandboxWallet(db, { email })).vaultId,
  }
})

describeProvider('Stripe on its stand-in', async (): Promise<ProviderStage> => {
  const shop = await openStripeShop()
  const { pool, db } = shop.database
  const { press, setFaults, keys } = await stripeOf(shop)
  // the suite posts the events itself
  const setFault = (fault: string | null) =>
    setFaults({ rate: 1, kinds: ['webhook_lost', ...(fault ? [fault === 'away' ? 'error' : fault] : [])] })
  await setFault(null)
  const change = (ref: string, kind: string, to: object) =>
    pool.query(`UPDATE sandbox.records SET body = (body::jsonb || $3::jsonb)::json WHERE order_id = $1 AND kind = $2`, [
      ref,
      `stripe_${kind}`,
      JSON.stringify(to),
    ])
  return {
    shop,
    approve: (ref) => press('approve', ref),
    decline: (ref) => press('decline', ref),
    setFault,
    show: async (ref, { state, currency, cents }) => {
      const error = state === 'declined' ? { code: 'card_declined' } : null
      const status = { captured: 'succeeded', pending: 'processing', declined: 'requires_payment_method' }
      if (state) await change(ref, 'intent', { status: status[state], last_payment_error: error })
      if (state === 'declined') await change(ref, 'session', { status: 'open' })
      if (currency) await change(ref, 'intent', { currency: currency.toLowerCase() })
      if (cents) await change(ref, 'charge', { amount: cents, amount_captured: cents })
    },
    takenOf: async (id) => {
      const { rows } = await pool.query<{ cents: number; refundedCents: number }>(
        `SELECT (body->>'amount')::int AS cents, (body->>'amount_refunded')::int AS "refundedCents" FROM sandbox.records
         WHERE kind = 'stripe_charge' AND body->'metadata'->>'payment_id' = $1 AND body->>'status' = 'succeeded'`,
        [id],
      )
      expect(rows.length).toBeLessThan(2)
      return rows[0] ?? null
    },
    eventOf: async (ref) => {
      const { rows } = await pool.query<{ id: string; body: string }>(
        `SELECT id, body FROM sandbox.events WHERE event_type = 'checkout.session.completed' AND resource_id = $1`,
        [ref],
      )
      const { id, body } = rows[0]!
      return { id, body, headers: signStripeEvent(keys, body) }
    },
    saveMethod: async (email) => (await saveSandboxCard(db, { email })).vaultId,
  }
})

describeProvider('a fake provider', async (): Promise<ProviderStage> => {
  const { opening, payments, tokens, faults, refundedOf, byId } = createFake()
  const shop = await openTestShop({ BONUS_PERCENT: '0' }, { providers: [opening] })
  const change = (ref: string, state: 'approved' | 'refused') => {
    payments.get(ref)!.state = state
  }
  return {
    shop,
    approve: async (ref) => change(ref, 'approved'),
    decline: async (ref) => change(ref, 'refused'),
    setFault: async (fault) => {
      faults.next = fault
    },
    show: async (ref, { state, currency, cents }) => {
      const payment = payments.get(ref)!
      payment.state = state ?? payment.state
      payment.currency = currency ?? payment.currency
      payment.amountCents = cents ?? payment.amountCents
    },
    takenOf: async (id) => {
      const payment = byId(id)
      if (payment?.state !== 'captured') return null
      return { cents: payment.amountCents, refundedCents: refundedOf(payment) }
    },
    eventOf: async (ref) => {
      const id = `evt_${crypto.randomUUID()}`
      const body = JSON.stringify({ id, type: 'payment.succeeded', ref })
      return { id, body, headers: { 'x-fake-signature': signatureOf(body) } }
    },
    saveMethod: async (email) => {
      const token = `tok_${email}`
      tokens.add(token)
      return token
    },
  }
})

test('refuses to start with one provider in test mode and another in live mode', () => {
  const way = (mode: 'live' | 'sandbox') => ({ label: mode, mode, credentials: 'STRIPE_SECRET_KEY and another' })
  expect(() => refuseMixed([way('live'), way('live')])).not.toThrow()
  expect(() => refuseMixed([way('sandbox')])).not.toThrow()
  expect(() => refuseMixed([way('live'), way('sandbox')])).toThrow(
    /^STRIPE_SECRET_KEY: sandbox is in test mode beside live/,
  )
})

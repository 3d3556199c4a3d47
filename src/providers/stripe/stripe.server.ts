import type Stripe from 'stripe'
import { type Charge, type Outcome, type PaymentRef, type SeenRefund, Unanswered } from '../../payments/outcome.ts'
import type { Probed, Provider } from '../../payments/provider.ts'
import { orUnknown, unclear } from '../../payments/unknown.server.ts'
import { beforeAge, createClient, type Credentials, KEY_REUSED, Refused, REPEAT_MINUTES } from './client.server.ts'
import { disputesAt } from './disputes.server.ts'
import { subjectOf } from './events.server.ts'
import { declined, outcomeOfIntent, outcomeOfSession, readToken } from './outcome.server.ts'
import { refundsAt } from './refunds.server.ts'
import { readReport } from './report.server.ts'
import { setupsAt } from './setup.server.ts'
import { methodLabel, STRIPE } from '../../payments/methods.ts'
import { firstOf } from '../../kit/values/required.ts'

export type StripeOptions = Credentials &
  Pick<Provider, 'mode' | 'sendTestEvent'> & {
    baseUrl?: string
    publicUrl: string
  }

const TOLERANCE_SECONDS = 300
// Stripe requires at least 30 minutes by its own clock
const PAGE_MINUTES = 60
const MAX_LINES = 100
const MAX_LETTERS = 250
/** Past this limit the result is unknown. */
const MAX_SEARCHED = 10_000
/** A request arrives within this time or never. */
const LATE_MINUTES = 15
const ON_ITS_WAY = 'a charge may still be on its way'
const WITH_CHARGE = ['payment_intent.latest_charge', 'payment_intent.payment_method']

export function createStripe(options: StripeOptions): Provider {
  const client = createClient(options)
  const { ask, find: findAt } = client
  const returnUrl = `${options.publicUrl}/checkout/return?provider=${STRIPE}`

  const readSession = (ref: string) =>
    findAt((stripe) => stripe.checkout.sessions.retrieve(ref, { expand: WITH_CHARGE }))

  /** Finds the page of a payment whose response was lost. */
  const searchSession = ({ id, ageMinutes }: PaymentRef) =>
    search((stripe) => stripe.checkout.sessions.list({ created: { gte: beforeAge(ageMinutes) }, limit: 100 }), id)

  /** Finds the charge of a saved card whose response was lost. */
  const searchIntent = ({ id, ageMinutes }: PaymentRef, customer?: string) =>
    search(
      (stripe) =>
        stripe.paymentIntents.list({
          created: { gte: beforeAge(ageMinutes) },
          ...(customer !== undefined && { customer }),
          limit: 100,
          expand: ['data.latest_charge'],
        }),
      id,
    )

  /** Stripe lists an object as soon as it responds, so a missing object does not exist. */
  const search = <T extends { metadata: Stripe.Metadata | null }>(
    list: (stripe: Stripe) => AsyncIterable<T>,
    paymentId: string,
  ): Promise<T | null> =>
    ask(async (stripe) => {
      let searched = 0
      for await (const found of list(stripe)) {
        if (found.metadata?.payment_id === paymentId) return found
        if (++searched === MAX_SEARCHED) throw new Error(`no end of the payments after ${MAX_SEARCHED}`)
      }
      return null
    })

  async function createSession(payment: Charge, isKeepable: boolean): Promise<Stripe.Checkout.Session> {
    const { id } = payment
    const metadata = { payment_id: id }
    // Stripe deletes idempotency keys after a day
    const known = payment.ageMinutes >= REPEAT_MINUTES ? await searchSession(payment) : null
    if (known) return known
    const create = (idempotencyKey: string) =>
      ask((stripe) =>
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            ui_mode: 'hosted_page',
            // other methods may take days to confirm
            allowed_payment_method_types: ['card'],
            client_reference_id: id,
            metadata,
            line_items: lineItems(payment),
            payment_intent_data: { metadata },
            // the page asks the buyer whether to save the card
            ...(isKeepable && {
              customer_creation: 'always',
              saved_payment_method_options: { payment_method_save: 'enabled' },
            }),
            // the charge must have the order's amount and currency
            adaptive_pricing: { enabled: false },
            success_url: `${returnUrl}&ref={CHECKOUT_SESSION_ID}`,
            // Stripe does not fill in an id in `cancel_url`
            cancel_url: `${returnUrl}&payment=${id}&canceled=1`,
            expires_at: Math.floor(Date.now() / 1000) + PAGE_MINUTES * 60,
          },
          { idempotencyKey },
        ),
      )
    try {
      return await create(id)
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== KEY_REUSED) throw error
      // Stripe rejects a repeat, because its page expires later. If the key stored an error, use a second key.
      return (await searchSession(payment)) ?? create(`${id}-2`)
    }
  }

  /** Returns the URL for the buyer: the page, or the shop once the page is paid or expired. */
  const nextOf = ({ id, status, url }: Stripe.Checkout.Session) => ({
    ref: id,
    next: { kind: 'page' as const, url: status === 'open' && url ? url : `${returnUrl}&ref=${id}` },
  })

  async function start({ isKeepable, ...payment }: Parameters<Provider['start']>[0]) {
    const { providerOrderId: ref } = payment
    const session = await (ref ? readSession(ref) : createSession(payment, isKeepable)).catch((error: unknown) => {
      throw error instanceof Refused ? new Unanswered(`no page was created: ${error.code}`, { cause: error }) : error
    })
    return session ? nextOf(session) : { ref: ref!, next: { kind: 'page' as const, url: `${returnUrl}&ref=${ref}` } }
  }

  async function find(payment: PaymentRef, seen?: SeenRefund): Promise<Outcome> {
    const ref = seen?.ref ?? payment.providerOrderId
    if (!ref) return findCharge(payment)
    if (ref.startsWith('pi_')) {
      const intent = await findAt((stripe) => stripe.paymentIntents.retrieve(ref, { expand: ['latest_charge'] }))
      return intent ? outcomeOfCharge(intent) : missing(payment)
    }
    const session = await readSession(ref)
    return session ? outcomeOfSession(session) : missing(payment)
  }

  /** A verified capture stays captured even if Stripe does not find the payment. */
  const missing = ({ providerCaptureId }: PaymentRef): Outcome =>
    providerCaptureId === null ? { kind: 'gone' } : unclear('Stripe does not know a payment that it captured')

  /** Maps a charge of a saved card. The buyer is present for 3-D Secure. Other waits count as declined. */
  function outcomeOfCharge(intent: Stripe.PaymentIntent): Outcome {
    const outcome = outcomeOfIntent(intent, intent.id)
    if (outcome.kind !== 'waiting') return outcome
    const url = intent.next_action?.redirect_to_url?.url
    return url ? { kind: 'asked', ref: intent.id, url } : declined('authentication_required', intent.id)
  }

  async function findCharge(payment: PaymentRef): Promise<Outcome> {
    const intent = await searchIntent(payment)
    if (intent) return outcomeOfCharge(intent)
    if (payment.sentMinutes === null) return { kind: 'gone' }
    return payment.sentMinutes < LATE_MINUTES ? unclear(ON_ITS_WAY) : declined('never charged')
  }

  async function charge(payment: Charge, token: string): Promise<Outcome> {
    const { id, amountCents: amount, currency, sentMinutes, ageMinutes } = payment
    const { customer, method } = readToken(token)
    const known = sentMinutes === null ? null : await searchIntent(payment, customer)
    if (known) return outcomeOfCharge(known)
    if (sentMinutes !== null && ageMinutes >= REPEAT_MINUTES)
      return ageMinutes < REPEAT_MINUTES + LATE_MINUTES ? unclear(ON_ITS_WAY) : declined('never charged')
    try {
      const body: Stripe.PaymentIntentCreateParams = {
        amount,
        currency: currency.toLowerCase(),
        ...(customer !== undefined && { customer }),
        payment_method: method,
        allowed_payment_method_types: ['card'],
        confirm: true,
        // the bank's page redirects here
        return_url: `${returnUrl}&payment=${id}`,
        metadata: { payment_id: id, by: 'saved card' },
        expand: ['latest_charge'],
      }
      return outcomeOfCharge(await ask((stripe) => stripe.paymentIntents.create(body, { idempotencyKey: id })))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (error.code === KEY_REUSED) return unclear('the key of a charge was used for another request')
      return error.intent ? outcomeOfCharge(error.intent) : declined(error.code)
    }
  }

  async function close(payment: PaymentRef): Promise<Outcome> {
    const ref = payment.providerOrderId ?? (await searchSession(payment))?.id
    if (!ref) return { kind: 'gone' }
    try {
      await ask<unknown>((stripe) =>
        ref.startsWith('pi_') ? stripe.paymentIntents.cancel(ref) : stripe.checkout.sessions.expire(ref),
      )
      return { kind: 'gone' }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      // paid or already closed
      const outcome = await find({ ...payment, providerOrderId: ref })
      // a declined page that is open accepts another card, and the buyer may be paying at this moment
      const isOver = outcome.kind === 'declined' && (ref.startsWith('pi_') || !outcome.canRetry)
      return isOver ? { kind: 'gone' } : outcome
    }
  }

  return {
    name: STRIPE,
    label: methodLabel(STRIPE),
    hint: 'You pay on Stripe’s page and come back here.',
    step: 'page',
    // source: docs.stripe.com/currencies, minimum charge in US dollars
    leastCents: 50,
    mode: options.mode,
    // source: stripe.com/pricing, US cards
    cost: { basisPoints: 290, fixedCents: 30 },
    credentials: 'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET',
    hosts: { scripts: [], connects: [], frames: [] },
    ...(options.sendTestEvent && { sendTestEvent: options.sendTestEvent }),
    canVerifyEvents: true,
    identifiesPayer: true,

    start,
    // Stripe captures by itself, so only read the state
    capture: (payment) => orUnknown(find(payment)),
    find: (payment, seen) => orUnknown(find(payment, seen)),
    close: (payment) => orUnknown(close(payment)),
    saved: {
      charge: (payment, token) => orUnknown(charge(payment, token)),
      forget: async (token) => {
        const { method } = readToken(token)
        await ask((stripe) => stripe.paymentMethods.detach(method)).catch((error: unknown) => {
          // Stripe does not know the card or deleted it
          if (!(error instanceof Refused)) throw error
        })
      },
      probe: () => probe(() => findAt((stripe) => stripe.paymentMethods.retrieve('pm_0probe0'))),
      adds: setupsAt(client, options.publicUrl),
    },
    ...refundsAt(client),
    disputes: disputesAt(client),
    report: (day) => orUnknown(readReport(client, day)),

    readEvent: async ({ header, body }) => {
      const signature = header('stripe-signature')
      if (!signature) return 'forged'
      try {
        return await client.ask(async (stripe) => {
          const { webhookSecret: secret } = options
          const event = stripe.webhooks.constructEvent(Buffer.from(body), signature, secret, TOLERANCE_SECONDS)
          return { id: event.id, type: event.type }
        })
      } catch {
        return 'forged'
      }
    },
    subjectOf,
    probe: () => probe(() => ask((stripe) => stripe.checkout.sessions.list({ limit: 1 }))),
  }
}

async function probe(look: () => Promise<unknown>): Promise<Probed> {
  try {
    await look()
    return 'ready'
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unanswered)) throw error
    const { statusCode } = (error.cause ?? {}) as { statusCode?: number }
    return error instanceof Refused || statusCode === 401 || statusCode === 403 ? 'refused' : 'away'
  }
}

/** Returns one line if the lines do not add up to the amount due: store credit or discounts pay the rest. */
function lineItems({ lines: all, amountCents }: Charge): Stripe.Checkout.SessionCreateParams.LineItem[] {
  const lines = all.filter(({ priceCents }) => priceCents > 0)
  const sum = lines.reduce((total, line) => total + line.priceCents * line.quantity, 0)
  const shown =
    sum === amountCents && lines.length <= MAX_LINES
      ? lines
      : [{ title: lines.length === 1 ? firstOf(lines).title : 'Your order', priceCents: amountCents, quantity: 1 }]
  return shown.map(({ title, priceCents, quantity }) => ({
    quantity,
    price_data: {
      currency: 'usd',
      unit_amount: priceCents,
      product_data: { name: [...title].slice(0, MAX_LETTERS).join('') },
    },
  }))
}

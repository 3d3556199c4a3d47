import { z } from 'zod'
import { createId, type Entry, type NewEvent } from '../store.server.ts'
import type { Sandbox } from './call.server.ts'
import { createCustomer } from './cards.server.ts'
import { createEvent } from './events.server.ts'
import { Metadata, readForm } from './form.server.ts'
import { type Card, entryOf, now, type Session, type SetupIntent } from './wire.server.ts'

const LIFE_SECONDS = 86_400

const url = z.url({ protocol: /^https?$/ }).max(5000)
const CreateSetup = z.strictObject({
  mode: z.literal('setup'),
  ui_mode: z.literal('hosted_page'),
  currency: z.string().regex(/^[a-z]{3}$/),
  allowed_payment_method_types: z.array(z.literal('card')).optional(),
  client_reference_id: z.string().max(200).optional(),
  customer_creation: z.enum(['always', 'if_required']).default('if_required'),
  metadata: Metadata,
  success_url: url,
  cancel_url: url,
})

export function createSetup({ base }: Sandbox, form: unknown): { body: Session; entries: Entry[] } {
  const given = readForm(CreateSetup, form)
  const id = `cs_test_${createId(32)}`
  const session: Session = {
    id,
    object: 'checkout.session',
    ui_mode: 'hosted_page',
    mode: 'setup',
    status: 'open',
    payment_status: 'no_payment_required',
    payment_intent: null,
    setup_intent: null,
    customer: null,
    amount_total: 0,
    currency: given.currency,
    client_reference_id: given.client_reference_id ?? null,
    metadata: given.metadata,
    url: `${base}/pay/${id}`,
    success_url: given.success_url.replaceAll('{CHECKOUT_SESSION_ID}', id),
    cancel_url: given.cancel_url,
    expires_at: now() + LIFE_SECONDS,
    created: now(),
    livemode: false,
    _lines: [],
    _isAsking: false,
    _isSaving: given.customer_creation === 'always',
    _intentMetadata: {},
  }
  return { body: session, entries: [entryOf(session, id)] }
}

const REFUSED = new Set<Card['_behavior']>(['declines', 'lacks_funds'])
export const CARD_DECLINED = 'Your card was declined.'

type SetupEffects = { session: Session; entries: Entry[]; events: NewEvent[] }

export function keepCard(sandbox: Sandbox, session: Session, card: Card): SetupEffects | null {
  if (REFUSED.has(card._behavior)) return null
  const customer = createCustomer()
  const kept: Card = { ...card, customer: customer.id, allow_redisplay: 'always' }
  const intent: SetupIntent = {
    id: `seti_${createId(24)}`,
    object: 'setup_intent',
    status: 'succeeded',
    payment_method: card.id,
    customer: customer.id,
    metadata: session.metadata,
    created: now(),
  }
  const done: Session = { ...session, status: 'complete', setup_intent: intent.id, customer: customer.id, url: null }
  return {
    session: done,
    entries: [done, customer, kept, intent].map((one) => entryOf(one, session.id)),
    events: [createEvent(sandbox, 'checkout.session.completed', done)],
  }
}

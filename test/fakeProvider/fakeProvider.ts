import { createHmac } from 'node:crypto'
import {
  type Captured,
  type Outcome,
  type PaymentRef,
  type RefundOutcome,
  Unanswered,
} from '../../src/payments/outcome.ts'
import type { FeeLine, ReportLine } from '../../src/payments/ledger/report.ts'
import type { Provider } from '../../src/payments/provider.ts'
import type { OpenProvider } from '../../src/providers/openProvider.server.ts'
import { createFakeDisputes } from './fakeDisputes.ts'

export type FakePayment = {
  ref: string
  id: string
  amountCents: number
  currency: string
  state: 'waiting' | 'approved' | 'refused' | 'captured' | 'pending' | 'declined' | 'closed'
  refunds: Map<string, { ref: string; amountCents: number; at: Date }>
  capturedAt: Date | null
}
export type FakeFault = 'away' | 'lost' | null

const SECRET = 'fake'
const payer = { id: null, country: null, isVerified: null }
export const signatureOf = (body: string) => createHmac('sha256', SECRET).update(body).digest('hex')

/** A provider in memory that differs from PayPal: it redirects, calls payments 'fakepay_1' and has no event list. */
export function createFake() {
  const payments = new Map<string, FakePayment>()
  const tokens = new Set<string>()
  const report = { fees: [] as FeeLine[], hasPending: false }
  const faults = { next: null as FakeFault }
  let count = 0

  /** 'away': the request never arrives. 'lost': the request takes effect, but its answer is lost. */
  async function meet<T>(effect: () => T): Promise<T> {
    if (faults.next === 'away') throw new Unanswered('away')
    const answer = effect()
    if (faults.next === 'lost') throw new Unanswered('lost')
    return answer
  }
  const outcome = <T>(effect: () => T) =>
    meet(effect).catch((error: Error) => ({ kind: 'unknown' as const, isAway: true, why: error.message }))

  const { disputes, move: moveDispute, provided, subjectOf: disputeIn } = createFakeDisputes(outcome)

  const byId = (id: string) => [...payments.values()].find((payment) => payment.id === id)
  const open = ({ id, amountCents, currency }: PaymentRef): FakePayment => {
    const known = byId(id)
    if (known) return known
    const payment: FakePayment = {
      ref: `fakepay_${++count}`,
      id,
      amountCents,
      currency,
      state: 'waiting',
      refunds: new Map(),
      capturedAt: null,
    }
    payments.set(payment.ref, payment)
    return payment
  }
  const captureRef = ({ ref }: FakePayment) => `${ref}_c`
  const refundedOf = ({ refunds }: FakePayment) => [...refunds.values()].reduce((sum, one) => sum + one.amountCents, 0)

  function show(payment: FakePayment | undefined): Outcome {
    if (!payment) return { kind: 'gone' }
    const { ref, id, amountCents, currency, state } = payment
    if (state === 'declined')
      return { kind: 'declined', ref, captureRef: null, reason: 'card_declined', canRetry: true, payer }
    if (state === 'closed') return { kind: 'gone' }
    if (state !== 'captured') return { kind: state === 'refused' ? 'approved' : state, ref }
    const captured: Captured = {
      kind: 'captured',
      ref,
      captureRef: captureRef(payment),
      paymentId: id,
      amountCents,
      currency,
      isReturned: refundedOf(payment) >= amountCents,
      payer,
      saved: null,
      card: 'Visa ending in 4242',
    }
    return captured
  }
  function capture(payment: FakePayment) {
    payment.state = 'captured'
    payment.capturedAt = new Date()
  }
  function take(payment: FakePayment): Outcome {
    if (payment.state === 'refused') {
      payment.state = 'waiting'
      return { kind: 'declined', ref: payment.ref, captureRef: null, reason: 'card_declined', canRetry: true, payer }
    }
    if (payment.state === 'approved') capture(payment)
    return show(payment)
  }

  const provider: Provider = {
    name: 'fake',
    label: 'Fake Pay',
    hint: 'You pay on the page of Fake Pay and come back here.',
    step: 'page',
    leastCents: 10,
    mode: 'sandbox',
    credentials: 'FAKE_KEY',
    hosts: { scripts: [], connects: [], frames: [] },
    canVerifyEvents: true,
    identifiesPayer: true,
    start: async (payment) => {
      const { ref } = await meet(() => open(payment))
      return { ref, next: { kind: 'page', url: `https://fake.example/${ref}` } }
    },
    capture: ({ providerOrderId }) => outcome(() => take(payments.get(providerOrderId!)!)),
    find: ({ id, providerOrderId }) => outcome(() => show(providerOrderId ? payments.get(providerOrderId) : byId(id))),
    close: ({ id, providerOrderId }) =>
      outcome(() => {
        const payment = providerOrderId ? payments.get(providerOrderId) : byId(id)
        if (payment && payment.state !== 'captured' && payment.state !== 'pending') payment.state = 'closed'
        return show(payment)
      }),
    saved: {
      charge: (payment, token) =>
        outcome(() => {
          const charged = open(payment)
          if (charged.state === 'waiting' && tokens.has(token)) capture(charged)
          else if (charged.state === 'waiting') charged.state = 'declined'
          return show(charged)
        }),
      forget: async (token) => void (await meet(() => tokens.delete(token))),
      probe: async () => (faults.next === 'away' ? 'away' : 'ready'),
    },
    refund: ({ id, amountCents, payment: { providerOrderId } }) =>
      outcome((): RefundOutcome => {
        const payment = payments.get(providerOrderId!)!
        const wanted = amountCents ?? payment.amountCents
        const ref = `${payment.ref}_r${payment.refunds.size}`
        const made = payment.refunds.get(id) ?? { ref, amountCents: wanted, at: new Date() }
        if (!payment.refunds.has(id) && refundedOf(payment) + wanted > payment.amountCents)
          return { kind: 'refused', reason: 'REFUND_AMOUNT_EXCEEDED' }
        payment.refunds.set(id, made)
        return { kind: 'completed', ref: made.ref, refundId: id, amountCents: made.amountCents }
      }),
    findRefund: async (seen) => {
      const payment = [...payments.values()].find((one) => captureRef(one) === seen.captureRef)
      const made = [...(payment?.refunds ?? [])].find(([, { ref }]) => ref === seen.refundRef)
      if (!payment || !made) return { paymentId: null, outcome: { kind: 'refused', reason: 'unknown' } }
      const [refundId, { ref, amountCents }] = made
      return { paymentId: payment.id, outcome: { kind: 'completed', ref, refundId, amountCents } }
    },
    disputes: provided,
    report: (day) =>
      outcome(() => {
        const all = [...payments.values()].flatMap((payment): ReportLine[] => {
          const { amountCents, currency, capturedAt: at, refunds } = payment
          const paid = at ? [{ kind: 'payment' as const, ref: captureRef(payment), amountCents, currency, at }] : []
          return [...paid, ...[...refunds.values()].map((one) => ({ kind: 'refund' as const, currency, ...one }))]
        })
        const isOn = ({ at }: { at: Date }) => at.toISOString().startsWith(day)
        return {
          kind: 'lines' as const,
          lines: all.filter(isOn),
          fees: report.fees.filter(isOn),
          hasPending: report.hasPending,
        }
      }),
    readEvent: async ({ header, body }) => {
      const text = new TextDecoder().decode(body)
      if (header('x-fake-signature') !== signatureOf(text)) return 'forged'
      const { id, type } = JSON.parse(text) as { id: string; type: string }
      return { id, type }
    },
    subjectOf: (body) => {
      const dispute = disputeIn(body)
      if (dispute) return dispute
      const { ref } = JSON.parse(body) as { ref: string }
      return { about: 'payment', ref, captureRef: null, paymentId: null }
    },
    probe: async () => (faults.next === 'away' ? 'away' : 'ready'),
  }
  const opening: OpenProvider = async () => ({ provider, routes: [], jobs: [], stop: async () => undefined })
  return { opening, payments, tokens, report, faults, refundedOf, byId, disputes, moveDispute }
}

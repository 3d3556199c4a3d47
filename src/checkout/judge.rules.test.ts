import { expect, test } from 'vitest'
import type { Captured, Outcome } from '../payments/outcome.ts'
import { judge } from './judge.rules.ts'

const payment = {
  id: 'payment-1',
  status: 'capturing',
  amountCents: 4499,
  currency: 'USD',
  providerOrderId: 'ORDER1',
  providerCaptureId: null,
  isLeased: false,
  declinedCaptures: ['OLD'],
}
const payer = { id: null, country: null, isVerified: null }
const captured: Captured = {
  ...{ kind: 'captured', ref: 'ORDER1', captureRef: 'CAP1', paymentId: 'payment-1', amountCents: 4499 },
  ...{ currency: 'USD', isReturned: false, payer, saved: null },
}
const declined = { kind: 'declined', ref: 'ORDER1', captureRef: 'CAP1', reason: 'no', canRetry: true, payer } as const
const ref = 'ORDER1'

test.each<[string, Outcome, string, object?, boolean?]>([
  ['captured in full', captured, 'paid'],
  ['captured without a known reference', captured, 'paid', { providerOrderId: null }],
  ['captured and returned since', { ...captured, isReturned: true }, 'returned'],
  ['captured one cent short', { ...captured, amountCents: 4498 }, 'mismatched'],
  ['captured one cent too much', { ...captured, amountCents: 4500 }, 'mismatched'],
  ['captured in another currency', { ...captured, currency: 'JPY' }, 'mismatched'],
  ['captured for another payment', { ...captured, paymentId: 'payment-2' }, 'mismatched'],
  ['captured for no payment', { ...captured, paymentId: null }, 'mismatched'],
  ['captured under another reference', { ...captured, ref: 'ORDER2' }, 'mismatched'],
  ['pending', { kind: 'pending', ref }, 'waiting'],
  ['approved', { kind: 'approved', ref }, 'waiting'],
  ['waiting', { kind: 'waiting', ref }, 'waiting'],
  ['received in part', { kind: 'partial', ref, receivedCents: 4498 }, 'waiting'],
  ['unknown', { kind: 'unknown', isAway: true, why: 'no answer' }, 'waiting'],
  ['declined', declined, 'declined'],
  ['declined by an unnamed capture', { ...declined, captureRef: null }, 'declined'],
  ['declined in an earlier try', { ...declined, captureRef: 'OLD' }, 'waiting'],
  ['declined again under the same reference', { ...declined, captureRef: 'OLD' }, 'declined', {}, true],
  ['declined while another request is under way', declined, 'waiting', { isLeased: true }],
  ['declined by its own answer', declined, 'declined', { isLeased: true }, true],
  ['gone', { kind: 'gone' }, 'lapsed'],
  ['gone while another request is under way', { kind: 'gone' }, 'waiting', { isLeased: true }],
  ['gone by its own answer', { kind: 'gone' }, 'lapsed', { isLeased: true }, true],
  ['gone while its money is held', { kind: 'gone' }, 'waiting', { providerCaptureId: 'CAP1' }],
])('evaluates a payment that is %s', (_, outcome, verdict, change = {}, isAnswer = false) => {
  expect(judge({ ...payment, ...change }, outcome, isAnswer).kind).toBe(verdict)
})

test.each(['captured', 'refunded', 'part_refunded', 'mismatched'])('does not evaluate a %s payment again', (status) => {
  expect(judge({ ...payment, status }, captured).kind).toBe('settled')
})

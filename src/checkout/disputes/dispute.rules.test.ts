import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeReason, type DisputeState, stepOf } from './dispute.rules.ts'
import { deliveryLine, policyOf } from './evidence.rules.ts'

test.each<[DisputeState, DisputeState, number, unknown]>([
  ['needs_evidence', 'needs_evidence', 1000, { kind: 'hold', heldCents: 1000 }],
  ['needs_evidence', 'under_review', 400, { kind: 'hold', heldCents: 400 }],
  ['under_review', 'won', 1000, { kind: 'won' }],
  ['needs_evidence', 'lost', 1000, { kind: 'lost', takenCents: 1000 }],
  ['under_review', 'lost', 300, { kind: 'lost', takenCents: 300 }],
  ['under_review', 'lost', 0, { kind: 'lost', takenCents: 0 }],
  ['won', 'won', 1000, { kind: 'over' }],
  ['won', 'under_review', 1000, { kind: 'hold', heldCents: 1000 }],
  ['won', 'lost', 1000, { kind: 'lost', takenCents: 1000 }],
  ['lost', 'won', 0, { kind: 'over' }],
])('%s becomes %s with %i cents left', (state, next, left, step) => {
  expect(stepOf({ state, heldCents: 0 }, { state: next, amountCents: 1000 }, left)).toEqual(step)
})

test('never holds or takes more than is left or disputed', () => {
  const states = fc.constantFrom<DisputeState>('needs_evidence', 'under_review', 'won', 'lost')
  fc.assert(
    fc.property(states, states, fc.nat(5000), fc.nat(5000), (state, next, amountCents, left) => {
      const step = stepOf({ state, heldCents: 0 }, { state: next, amountCents }, left)
      const cents = step.kind === 'hold' ? step.heldCents : step.kind === 'lost' ? step.takenCents : 0
      return cents <= left && cents <= amountCents
    }),
  )
})

test('puts reasons and evidence into words', () => {
  expect(describeReason('MERCHANDISE_OR_SERVICE_NOT_RECEIVED')).toBe('The buyer says that nothing arrived')
  expect(describeReason('fraudulent')).toBe('The buyer says that somebody else paid')
  expect(describeReason('SOME_NEW_REASON')).toBe('some new reason')
  expect(deliveryLine({ title: 'Salt', kind: 'download', at: '2026-11-23T14:07:09.123Z', ip: '203.0.113.7' })).toBe(
    '2026-11-23 14:07:09 UTC: the buyer downloaded “Salt” from 203.0.113.7',
  )
  expect(policyOf(0, 'https://shop.example/refunds')).toBe(
    'Buyers can ask for a refund of any completed order. All rules: https://shop.example/refunds',
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeReason, type DisputeState, stepOf } from './dispute.rules.ts'
import { deliveryLine, policyOf } from './evidence.rules.ts'

const claim = (state: DisputeState) =>
  ({ state, stage: 'claim', amountCents: 1000, lostCents: null }) as {
    state: DisputeState
    stage: 'claim'
    amountCents: number
    lostCents: number | null
  }

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
])('a dispute that is %s becomes %s with %i cents left', (state, next, left, step) => {
  expect(stepOf({ state, heldCents: 0 }, claim(next), { holdableCents: left, returnedCents: 0 })).toEqual(step)
})

test.each([
  ['the part that the buyer got', { lostCents: 200 }, 1000, 0, 200],
  ['at most the remaining money', { lostCents: 200 }, 100, 0, 100],
  ['at most the disputed amount', { lostCents: 5000 }, 9000, 0, 1000],
  ['only the part that a refund at the provider left', { lostCents: 200 }, 1000, 150, 50],
  ['nothing if a refund at the provider returned more', { lostCents: 200 }, 1000, 300, 0],
] as const)('a lost dispute takes %s', (_, change, holdableCents, returnedCents, takenCents) => {
  const truth = { ...claim('lost'), ...change }
  const step = stepOf({ state: 'under_review', heldCents: 0 }, truth, { holdableCents, returnedCents })
  expect(step).toEqual({ kind: 'lost', takenCents })
})

test('a warning holds no money until it becomes a claim', () => {
  const left = { holdableCents: 1000, returnedCents: 0 }
  const known = { state: 'needs_evidence', heldCents: 0 } as const
  const asked = { ...claim('needs_evidence'), stage: 'warning' } as const
  expect(stepOf(known, asked, left)).toEqual({ kind: 'hold', heldCents: 0 })
  expect(stepOf(known, claim('needs_evidence'), left)).toEqual({ kind: 'hold', heldCents: 1000 })
})

test('never holds or takes more than is left or disputed', () => {
  const states = fc.constantFrom<DisputeState>('needs_evidence', 'under_review', 'won', 'lost')
  fc.assert(
    fc.property(
      ...([states, states, fc.nat(5000), fc.nat(5000), fc.option(fc.nat(5000)), fc.nat(5000)] as const),
      (state, next, amountCents, left, lostCents, returnedCents) => {
        const truth = { ...claim(next), amountCents, lostCents }
        const step = stepOf({ state, heldCents: 0 }, truth, { holdableCents: left, returnedCents })
        const cents = step.kind === 'hold' ? step.heldCents : step.kind === 'lost' ? step.takenCents : 0
        const wantedCents = next === 'lost' ? Math.min(lostCents ?? amountCents, amountCents) : amountCents
        return cents >= 0 && cents <= left && cents <= Math.max(0, wantedCents - returnedCents)
      },
    ),
  )
})

test('formats reasons and evidence as sentences', () => {
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

import { expect, test } from 'vitest'
import { canAddFacts, describeDeadline, describeDelivery } from './sellerDispute.rules.ts'

const NOW = Date.parse('2026-11-22T10:00:00Z')
const at = (time: string) => new Date(time)

test.each([
  ['before the deadline', at('2026-11-22T10:00:01Z'), false, true],
  ['without a deadline', null, false, true],
  ['at the deadline', at('2026-11-22T10:00:00Z'), false, false],
  ['after the answer of staff', at('2026-11-29T10:00:00Z'), true, false],
  ['after the answer, without a deadline', null, true, false],
])('a seller can add facts %s: %s', (_, evidenceDueAt, isAnswered, can) =>
  expect(canAddFacts({ evidenceDueAt, isAnswered }, NOW)).toBe(can),
)

test.each([
  [null, 'Without a deadline'],
  ['2026-11-29T10:00:00Z', '7 days left, until Nov 29, 2026'],
  ['2026-11-23T10:00:00Z', '1 day left, until Nov 23, 2026'],
  ['2026-11-23T09:59:00Z', 'Until Nov 23'],
  ['2026-11-22T09:00:00Z', 'Ended Nov 22'],
])('describes the deadline %s as %s', (dueAt, text) => expect(describeDeadline(dueAt, NOW)).toContain(text))

test('describes a delivery and a use', () => {
  expect([describeDelivery('access'), describeDelivery('reveal')]).toEqual(['Delivered', 'Codes or key shown'])
})

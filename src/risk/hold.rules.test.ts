import { expect, test } from 'vitest'
import { formatMoment } from '../localisation/dates.rules.ts'
import { describeHold, describeWhy } from './hold.rules.ts'
import { RULE_NAMES } from './score.rules.ts'

const until = '2026-11-22T14:30:00.000Z'
const hold = { kind: 'hold' as const, why: ['amount', 'newAccount'], until, isClearedByConfirming: false }

test('shows the buyer why the order waits, until when, and the next step', () => {
  const { text } = describeHold(hold)
  expect(text).toContain('because it’s larger than most first purchases and your account is new.')
  expect(text).toContain(`If it isn’t delivered by ${formatMoment(until)}, you’ll be refunded in full automatically.`)
  expect(text).not.toContain('Confirm')
})

test('shows the buyer how to clear the hold', () => {
  expect(describeHold({ ...hold, isClearedByConfirming: true }).text).toContain('Confirm it’s you')
  expect(describeHold({ ...hold, kind: 'step_up' }).text).toContain('You haven’t been charged.')
})

test('accuses no buyer for any reason', () => {
  for (const rule of [...RULE_NAMES, 'a rule of a later version']) {
    expect(describeWhy([rule])).not.toMatch(/fraud|steal|stolen|suspicious|abuse/i)
    expect(describeWhy([rule]).length).toBeGreaterThan(10)
  }
})

import { expect, test } from 'vitest'
import { describeFailure, describeRefusal } from './refusal.rules.ts'

test('describes a known refusal, and quotes an unknown one', () => {
  expect(describeRefusal('REFUND_AMOUNT_EXCEEDED')).toContain('Less than that is left')
  expect(describeRefusal('CANCELLED')).toBe('Its word for why: CANCELLED.')
  expect(describeRefusal(null)).toBe('It did not say why.')
})

test('does not describe a refund as refused that never reached the provider', () => {
  expect(describeFailure('$3.00', 'NEVER_MADE')).toMatch(/^\$3\.00 was not given back\. The request never reached/)
  expect(describeFailure('$3.00', null)).toBe('The payment provider refused to give $3.00 back. It did not say why.')
})

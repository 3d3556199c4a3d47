import { expect, test } from 'vitest'
import { MAX_COUNTED, MAX_RESENT } from '../../notifications/hooks/hooks.contract.ts'
import { describeResend, formatFailed } from './resend.rules.ts'

test('the question shows the number of failed deliveries, and the limit only above it', () => {
  expect(describeResend(1).title).toBe('Resend 1 failed delivery?')
  expect(describeResend(MAX_RESENT)).toMatchObject({ title: 'Resend 200 failed deliveries?' })
  expect(describeResend(MAX_RESENT).about).not.toContain('At most')
  expect(describeResend(1340).title).toBe('Resend 200 of 1,340 failed deliveries?')
  expect(describeResend(1340).about).toContain('At most 200')
})

test('marks a number of failed deliveries that was not counted to its end', () => {
  expect([1, 1340, MAX_COUNTED - 1, MAX_COUNTED].map(formatFailed)).toEqual(['1', '1,340', '9,999', '10,000+'])
  expect(describeResend(MAX_COUNTED).title).toBe('Resend 200 of 10,000+ failed deliveries?')
})

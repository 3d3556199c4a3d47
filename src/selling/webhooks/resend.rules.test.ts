import { expect, test } from 'vitest'
import { MAX_RESENT } from '../../notifications/hooks/hooks.contract.ts'
import { describeResend } from './resend.rules.ts'

test('asks with the number of failed deliveries, and names the limit only above it', () => {
  expect(describeResend(1).title).toBe('Resend 1 failed delivery?')
  expect(describeResend(MAX_RESENT)).toMatchObject({ title: 'Resend 200 failed deliveries?' })
  expect(describeResend(MAX_RESENT).about).not.toContain('At most')
  expect(describeResend(1340).title).toBe('Resend 200 of 1,340 failed deliveries?')
  expect(describeResend(1340).about).toContain('At most 200')
})

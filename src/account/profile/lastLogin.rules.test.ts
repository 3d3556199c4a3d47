import { expect, test } from 'vitest'
import { dayOf } from './lastLogin.rules.ts'

const at = (text: string) => new Date(text)
const now = at('2026-11-18T00:10:00').getTime()

test.each([
  ['2026-11-18T00:05:00', 'Today'],
  // clocks of devices may run ahead
  ['2026-11-18T00:12:00', 'Today'],
  ['2026-11-17T23:59:00', 'Yesterday'],
  ['2026-11-17T00:00:00', 'Yesterday'],
  ['2026-11-16T23:59:00', 'earlier'],
  ['2025-11-18T00:05:00', 'earlier'],
])('shows a sign-in at %s on Nov 18 as %s', (time, text) => {
  expect(dayOf(at(time).toISOString(), now, () => 'earlier')).toBe(text)
})

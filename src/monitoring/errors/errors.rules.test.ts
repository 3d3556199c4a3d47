import { expect, test } from 'vitest'
import { fixFor, isUrgent, severityOf } from './errors.rules.ts'

test.each([
  ['Payment was not started', 'critical'],
  ['A SECURITY header is missing', 'critical'],
  ['401: Unauthorized', 'critical'],
  ['Network error: fetching payments', 'critical'],
  ['Network request failed', 'high'],
  ['GET /api/cart failed', 'high'],
  ['Failed to fetch', 'high'],
  ['The api could not render', 'high'],
  ['Cannot render the page', 'medium'],
  ['A Component is missing', 'medium'],
  ["Cannot read properties of undefined (reading 'price')", 'low'],
  ['', 'low'],
])('grades "%s" as %s', (message, severity) => {
  expect(severityOf(message)).toBe(severity)
  expect(isUrgent(severityOf(message))).toBe(severity === 'critical' || severity === 'high')
})

test.each([
  ['network', false, 'retry'],
  ['performance', false, 'lighten'],
  ['javascript', true, 'redraw'],
  ['network', true, 'redraw'],
  ['javascript', false, null],
] as const)('against a %s error (in a part that is gone: %s) is tried: %s', (type, isRender, fix) => {
  expect(fixFor(type, isRender)).toBe(fix)
})

import { expect, test } from 'vitest'
import { explainLocally } from './known.rules.ts'

test.each([
  ['Failed to fetch', 'Network'],
  ['503: {"message":"Busy"}', 'Network'],
  ["Cannot read properties of undefined (reading 'id')", 'Missing value'],
  ["Cannot read properties of undefined (reading 'capture')", 'Missing value'],
  ["null is not an object (evaluating 'a.fetch')", 'Missing value'],
  ['Payment capture failed: undefined', 'Payment'],
  ['x.map is not a function', 'Missing value'],
  ['Nothing was rendered on this page', 'Missing value'],
  ['The module script has no OrdersPage', 'Chunk load'],
  ['Hydration failed because the server rendered HTML didn’t match', 'Hydration'],
  ['Minified React error #418', 'Hydration'],
  ['Failed to fetch dynamically imported module: /assets/CartPage.js', 'Chunk load'],
  ["QuotaExceededError: Failed to execute 'setItem' on 'Storage'", 'Storage quota'],
  [
    'Refused to connect to https://x because it violates the following Content Security Policy directive',
    'Content security policy',
  ],
  ['Payment capture failed', 'Payment'],
])('explains %j as %s', (message, kind) => expect(explainLocally({ message })?.kind).toBe(kind))

test('explains a network report by its type, and no unknown error', () => {
  expect(explainLocally({ message: 'Oops', type: 'network' })?.kind).toBe('Network')
  expect(explainLocally({ message: 'Oops', type: 'javascript' })).toBeNull()
})

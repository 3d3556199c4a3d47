import { expect, test } from 'vitest'
import { accepts } from './accepted.rules.ts'

test.each([
  ['gzip, deflate, br', true, true],
  ['BR;q=0.5', true, false],
  ['br;q=0, gzip', false, true],
  ['br ; q=0.000,gzip;q=0.1', false, true],
  ['gzip;q=0.0', false, false],
  ['br;q=0.01', true, false],
  ['identity, broken', false, false],
  ['', false, false],
  [undefined, false, false],
])('reads from the header %j which codings a client accepts', (header, br, gzip) => {
  expect(accepts(header, 'br')).toBe(br)
  expect(accepts(header, 'gzip')).toBe(gzip)
})

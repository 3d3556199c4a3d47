import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DECIMAL, toCents, toDecimal } from './money.ts'

test.each([
  ['0', 0],
  ['0.1', 10],
  ['1.00', 100],
  ['44.99', 4499],
  ['999999.99', 99999999],
])('converts %s to %i cents', (decimal, cents) => expect(toCents(decimal)).toBe(cents))

test.each(['', '-1', '1.', '.5', '1.005', '1e3', ' 1', '1,00', 'NaN', '٣'])('rejects %j as an amount', (text) => {
  expect(() => toCents(text)).toThrow(RangeError)
  expect(DECIMAL.test(text)).toBe(false)
})

test('cents survive a round trip over the wire', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 9_999_999_999_999 }), (cents) => toCents(toDecimal(cents)) === cents))
})

test('writes the sign of a negative amount', () => expect(toDecimal(-5)).toBe('-0.05'))

import { expect, test } from 'vitest'
import { checkRates, isUsable } from './rates.rules.ts'

test.each([
  ['the currencies of the shop are kept, others are not', { EUR: 0.9, CHF: 0.8 }, {}, { EUR: 0.9 }],
  ['a rate that is no number keeps its last value', { EUR: '0.9', GBP: 0.8 }, { EUR: 0.91 }, { EUR: 0.91, GBP: 0.8 }],
  ['a rate of nought or less keeps its last value', { EUR: 0, GBP: 0.8 }, { EUR: 0.91 }, { EUR: 0.91, GBP: 0.8 }],
  ['a leap of more than half keeps its last value', { EUR: 1.4, GBP: 0.8 }, { EUR: 0.91 }, { EUR: 0.91, GBP: 0.8 }],
  ['a fall of more than half keeps its last value', { EUR: 0.4, GBP: 0.8 }, { EUR: 0.91 }, { EUR: 0.91, GBP: 0.8 }],
  ['a step of less than half is taken', { EUR: 1.3 }, { EUR: 0.91 }, { EUR: 1.3 }],
  ['the dollar is worth a dollar', { USD: 7, EUR: 0.9 }, {}, { EUR: 0.9 }],
])('%s', (_name, rates, last, kept) => {
  expect(checkRates({ rates }, last as Record<string, number>)).toEqual({ ...kept, USD: 1 })
})

test.each([[null], ['text'], [{}], [{ rates: null }], [{ rates: {} }], [{ rates: { EUR: Infinity } }]])(
  'the answer %j is refused whole',
  (answer) => expect(() => checkRates(answer, { EUR: 0.9 })).toThrow(),
)

test('rates are shown for seven days', () => {
  const at = new Date('2026-11-01T00:00:00Z')
  expect(isUsable(at, new Date('2026-11-07T23:59:00Z'))).toBe(true)
  expect(isUsable(at, new Date('2026-11-08T00:01:00Z'))).toBe(false)
})

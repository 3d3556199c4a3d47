import { expect, test } from 'vitest'
import { renewRates, usableRates } from './rates.rules.ts'

const NOW = new Date('2026-11-08T00:00:00Z')
const before = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString()
const known = (rates: Record<string, number>, days = 1) => ({
  rates,
  readAt: Object.fromEntries(Object.keys(rates).map((code) => [code, before(days)])),
})

test.each([
  ['the currencies of the shop are kept, others are not', { EUR: 0.9, CHF: 0.8 }, {}, { EUR: 0.9 }],
  ['a rate that is no number keeps its last value', { EUR: '0.9', GBP: 0.8 }, { EUR: 0.91 }, { EUR: 0.91, GBP: 0.8 }],
  ['a rate of nought or less keeps its last value', { EUR: 0, GBP: 0.8 }, { EUR: 0.91 }, { EUR: 0.91, GBP: 0.8 }],
  ['a leap of more than half keeps its last value', { EUR: 1.4, GBP: 0.8 }, { EUR: 0.91 }, { EUR: 0.91, GBP: 0.8 }],
  ['a fall of more than half keeps its last value', { EUR: 0.4, GBP: 0.8 }, { EUR: 0.91 }, { EUR: 0.91, GBP: 0.8 }],
  ['a step of less than half is taken', { EUR: 1.3 }, { EUR: 0.91 }, { EUR: 1.3 }],
  ['a step of half is taken', { EUR: 1.5 }, { EUR: 1 }, { EUR: 1.5 }],
  ['the dollar is worth a dollar', { USD: 7, EUR: 0.9 }, {}, { EUR: 0.9 }],
  ['nor is it worth a little more', { USD: 1.2, EUR: 0.9 }, {}, { EUR: 0.9 }],
  ['a first rate of nought or less is none', { EUR: 0, GBP: 0.8, NGN: -1500 }, {}, { GBP: 0.8 }],
  ['a first rate of a trillion is none', { CAD: 1e12, GBP: 0.8 }, {}, { GBP: 0.8 }],
  ['a first rate of a tenth of a cent is none', { EUR: 0.001, GBP: 0.8 }, {}, { GBP: 0.8 }],
  ['a first rate without an end is none', { EUR: JSON.parse('1e999') as number, GBP: 0.8 }, {}, { GBP: 0.8 }],
])('%s', (_name, rates, last, kept) => {
  expect(renewRates({ rates }, known(last as Record<string, number>), NOW).rates).toEqual({ ...kept, USD: 1 })
})

test.each([[null], ['text'], [{}], [{ rates: null }], [{ rates: {} }], [{ rates: { EUR: Infinity } }]])(
  'rejects the whole response %j',
  (answer) => expect(() => renewRates(answer, known({ EUR: 0.9 }), NOW)).toThrow('the answer holds no'),
)

test('a new rate gets the time of the response, and an old rate retains its time', () => {
  const { readAt } = renewRates({ rates: { EUR: 0.9 } }, known({ EUR: 0.91, NGN: 1500 }, 3), NOW)
  expect(readAt).toEqual({ EUR: NOW.toISOString(), NGN: before(3) })
})

test('keeps the old rate for seven days when a currency loses more than half, then accepts the new one', () => {
  const renew = (days: number) => renewRates({ rates: { EUR: 0.9, NGN: 3500 } }, known({ NGN: 1500 }, days), NOW).rates
  expect([renew(6.99).NGN, renew(7.01).NGN]).toEqual([1500, 3500])
})

test('each rate expires after seven days, the dollar never', () => {
  const kept = { rates: { EUR: 0.9, GBP: 0.8, JPY: 150 }, readAt: { EUR: before(6.99), GBP: before(7.01) } }
  expect(usableRates(kept, NOW)).toEqual({ rates: { EUR: 0.9, USD: 1 }, readAt: { EUR: before(6.99) } })
})

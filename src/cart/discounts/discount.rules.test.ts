import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DISCOUNT_PROBLEMS } from '../cart.contract.ts'
import { discountLines, type DiscountTerms, shareDiscount } from './discount.rules.ts'
import { describeProblem } from './problem.rules.ts'

const percentOf = (percent: number, id = 'p'): DiscountTerms => ({ id, percent, amountCents: null })
const amountOf = (amountCents: number, id = 'a'): DiscountTerms => ({ id, percent: null, amountCents })

test.each([
  ['20 % of two lines', [850, 1900], percentOf(20), [170, 380]],
  ['half a cent is rounded for the buyer', [50], percentOf(1), [1]],
  ['less than half a cent takes nothing', [49], percentOf(1), [0]],
  ['a cent that two equal lines share goes to the first', [101, 101], amountOf(1), [1, 0]],
  ['$2.00 off an order, in proportion', [1001, 3001], amountOf(200), [50, 150]],
  ['100 % keeps a cent of each line', [1000, 1, 250], percentOf(100), [999, 0, 249]],
  ['an amount above the order keeps a cent of each line', [300], amountOf(500), [299]],
  ['lines of one cent give nothing', [1, 1], percentOf(100), [0, 0]],
  ['the largest order', [99_999_999 * 9999, 1], percentOf(33), [329_966_996_701, 0]],
] as const)('%s', (_, cents, terms, expected) => {
  expect(shareDiscount([...cents], terms)).toEqual(expected)
})

const anyTerms = fc.oneof(
  fc.integer({ min: 1, max: 100 }).map((percent) => percentOf(percent)),
  fc.integer({ min: 1, max: 99_999_999 }).map((cents) => amountOf(cents)),
)
const anyCents = fc.array(fc.integer({ min: 1, max: 99_999_999 * 9999 }), { minLength: 1, maxLength: 40 })

test('never takes a line below one cent, and the lines add up to the discount', () => {
  fc.assert(
    fc.property(anyCents, anyTerms, (cents, terms) => {
      const shares = shareDiscount(cents, terms)
      const total = cents.reduce((all, one) => all + one, 0)
      const wanted = terms.percent === null ? terms.amountCents! : Math.round((total * terms.percent) / 100)
      expect(shares.every((share, i) => Number.isSafeInteger(share) && share >= 0 && share < cents[i]!)).toBe(true)
      expect(shares.reduce((all, one) => all + one, 0)).toBe(Math.min(wanted, total - cents.length))
    }),
  )
})

test('takes each code off its own lines only', () => {
  const codes = [percentOf(50, 'one'), amountOf(300, 'two'), null]
  const line = fc.record({ cents: fc.integer({ min: 1, max: 1_000_000 }), discount: fc.constantFrom(...codes) })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const off = discountLines(lines)
      for (const code of codes) {
        const own = lines.map((_, i) => i).filter((i) => lines[i]!.discount?.id === code?.id)
        const cents = own.map((i) => lines[i]!.cents)
        expect(own.map((i) => off[i])).toEqual(code && own.length > 0 ? shareDiscount(cents, code) : own.map(() => 0))
      }
    }),
  )
})

test('has words for each problem', () => {
  for (const problem of DISCOUNT_PROBLEMS) expect(describeProblem('HARVEST', problem)).toMatch(/HARVEST.*\.$/)
})

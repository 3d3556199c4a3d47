import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DISCOUNT_PROBLEMS } from '../cart.contract.ts'
import { DiscountCode } from './discount.contract.ts'
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
  ['100 % takes all of files, and a cent of each code stays', [1000, [1, 1], [250, 1]], percentOf(100), [1000, 0, 249]],
  ['an amount above the order stops at the minimum', [[500, 300]], amountOf(500), [200]],
  ['a line at its minimum gives nothing to the others', [[300, 300], 300], amountOf(200), [0, 200]],
  ['a free line gives nothing', [0, 500], percentOf(10), [0, 50]],
  ['free lines alone give nothing', [0, 0], percentOf(100), [0, 0]],
  ['the largest order', [99_999_999 * 9999, [1, 1]], percentOf(33), [329_966_996_701, 0]],
] as const)('%s', (_, lines, terms, expected) => {
  const asLine = (line: number | readonly [number, number]) =>
    typeof line === 'number' ? { cents: line, leastCents: 0 } : { cents: line[0], leastCents: line[1] }
  expect(shareDiscount(lines.map(asLine), terms)).toEqual(expected)
})

const anyTerms = fc.oneof(
  fc.integer({ min: 1, max: 100 }).map((percent) => percentOf(percent)),
  fc.integer({ min: 1, max: 99_999_999 }).map((cents) => amountOf(cents)),
)
const someCents = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 99_999_999 * 9999 }))
const anyLines = fc.array(
  fc
    .tuple(someCents, someCents)
    .map(([one, other]) => ({ cents: Math.max(one, other), leastCents: Math.min(one, other) })),
  { minLength: 1, maxLength: 40 },
)
const sum = (cents: number[]) => cents.reduce((all, one) => all + one, 0)

test('never reduces a line below its minimum, and the shares add up to the discount', () => {
  fc.assert(
    fc.property(anyLines, anyTerms, (lines, terms) => {
      const shares = shareDiscount(lines, terms)
      const total = sum(lines.map(({ cents }) => cents))
      const room = sum(lines.map(({ cents, leastCents }) => cents - leastCents))
      const wanted = terms.percent === null ? terms.amountCents! : Math.round((total * terms.percent) / 100)
      for (const [i, share] of shares.entries()) {
        expect(Number.isSafeInteger(share) && share >= 0).toBe(true)
        expect(lines[i]!.cents - share).toBeGreaterThanOrEqual(lines[i]!.leastCents)
      }
      expect(sum(shares)).toBe(Math.min(wanted, room))
    }),
  )
})

test('applies each code only to its own lines', () => {
  const codes = [percentOf(50, 'one'), amountOf(300, 'two'), null]
  const cents = fc.integer({ min: 0, max: 1_000_000 })
  const line = fc.record({ cents, leastCents: fc.constantFrom(0, 1), discount: fc.constantFrom(...codes) })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const off = discountLines(lines)
      for (const code of codes) {
        const own = lines.map((_, i) => i).filter((i) => lines[i]!.discount?.id === code?.id)
        const ownLines = own.map((i) => lines[i]!)
        expect(own.map((i) => off[i])).toEqual(
          code && own.length > 0 ? shareDiscount(ownLines, code) : own.map(() => 0),
        )
      }
    }),
  )
})

test('has a sentence for each problem', () => {
  for (const problem of DISCOUNT_PROBLEMS) expect(describeProblem('HARVEST', problem)).toMatch(/HARVEST.*\.$/)
})

test.each([
  'save20',
  ' SAVE20 ',
  'save 20',
  'Save-20',
  'SAVE20.',
  '“SAVE20”',
  'ＳＡＶＥ２０',
  'SA\u200bVE20',
  '\ufeffsave20',
])('reads %j as SAVE20', (typed) => expect(DiscountCode.parse(typed)).toBe('SAVE20'))

test.each(['ab1', 'SÄVE20', '!!!!', 'A'.repeat(21)])('rejects %j as a code', (typed) => {
  expect(DiscountCode.safeParse(typed).success).toBe(false)
})

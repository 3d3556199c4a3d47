import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDecimal } from '../kit/money.ts'
import { askingProblems } from './price/asking.rules.ts'
import { amountsOffered, chosenProblem } from './price/choice.rules.ts'
import { priceProblem, readPrice, stepPrice } from './price.rules.ts'

test.each([
  ['12.50', '12.50'],
  ['12,50', '12.50'],
  ['12,5', '12.5'],
  [' 12 ', '12'],
  ['$12.50', '12.50'],
  ['.5', '0.5'],
  [',5', '0.5'],
  ['12.', '12'],
  ['12,', '12'],
  ['007', '7'],
  ['1,250', '1250'],
  ['1,250.00', '1250.00'],
  ['1.250,00', '1250.00'],
  ['999,999.99', '999999.99'],
  ['0.01', '0.01'],
])('parses %j as a price of %s', (typed, price) => {
  expect(readPrice(typed)).toBe(price)
  expect(priceProblem(price)).toBeNull()
})

const [POSITIVE, DECIMALS, HIGH, OTHERWISE] = [
  'Price must be a positive number',
  'Price can have up to two decimals',
  'Price can be at most $999,999.99',
  'Write the price in digits with a point, like 12.50',
]

test.each([
  ['0', POSITIVE],
  ['0.00', POSITIVE],
  ['0.000', POSITIVE],
  ['0.001', DECIMALS],
  ['0,001', DECIMALS],
  ['-3', POSITIVE],
  ['abc', POSITIVE],
  ['1e3', OTHERWISE],
  ['0x10', OTHERWISE],
  ['+5', OTHERWISE],
  ['-1e3', POSITIVE],
  ['1e999', POSITIVE],
  ['1,2,3', POSITIVE],
  ['12,50.00', POSITIVE],
  ['1 250', POSITIVE],
  ['Infinity', POSITIVE],
  ['٣', POSITIVE],
  ['12.505', DECIMALS],
  ['1.250', DECIMALS],
  ['1,250.005', DECIMALS],
  ['0.015', DECIMALS],
  ['1000000', HIGH],
  ['1,000,000.00', HIGH],
  ['1.000.000', HIGH],
  ['99999999999999999999.999', HIGH],
])('rejects %j: %s', (typed, problem) => expect(priceProblem(readPrice(typed))).toBe(problem))

test.each(['5,00', '1,250.00', '$5', '.5', '5.', '0000007'])('rejects the spelling %j in a request', (price) =>
  expect(priceProblem(price)).toBe(OTHERWISE),
)

test('parses every price that the store prints, with a point or a comma', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_99 }), (cents) => {
      const price = toDecimal(cents)
      return readPrice(price) === price && readPrice(price.replace('.', ',')) === price && priceProblem(price) === null
    }),
  )
})

test.each([
  ['12.50', 1, '12.51'],
  ['12,50', -1, '12.49'],
  ['', 1, '0.01'],
  ['0.01', -1, '0.01'],
  ['999999.99', 1, '999999.99'],
] as const)('changes %j by an arrow key (%i) to %s', (typed, by, price) => expect(stepPrice(typed, by)).toBe(price))

test.each([
  ['0', null, {}],
  ['0.00', null, {}],
  ['3.00', '5.00', {}],
  ['0', '0.01', {}],
  ['3.00', '3.00', {}],
  ['99999.99', '99999.99', {}],
  ['0.001', null, { price: DECIMALS }],
  ['-1', null, { price: POSITIVE }],
  ['3.00', '2.99', { suggested: 'Suggest at least the minimum' }],
  ['0', '0', { suggested: 'Suggest a price above zero' }],
  ['3.00', '', { suggested: 'Suggest a price above zero' }],
  ['3.00', '100000', { suggested: 'At most $99,999.99' }],
  ['100000', '100000', { price: 'At most $99,999.99' }],
])('validates price %s with suggestion %s: %j', (price, suggested, problems) => {
  expect(askingProblems({ price, suggested })).toEqual(problems)
})

test.each([
  ['3.00', null],
  ['99999.99', null],
  ['2.99', 'Pay at least $3.00'],
  ['0', 'Pay at least $3.00'],
  ['100000', 'At most $99,999.99'],
  ['12345678', 'At most $99,999.99'],
  ['3.001', 'At most two decimals'],
  ['', 'Write an amount like 5.00'],
  ['-5', 'Write an amount like 5.00'],
  ['five', 'Write an amount like 5.00'],
])('validates %j against a minimum of $3.00: %j', (typed, problem) => {
  expect(chosenProblem(readPrice(typed), 300)).toBe(problem)
})

test('accepts zero if the minimum is zero', () => {
  expect([chosenProblem('0', 0), chosenProblem('0.00', 0)]).toEqual([null, null])
})

test('offers the minimum, the suggestion and its double once each, without zero', () => {
  expect(amountsOffered(300, 500)).toEqual([300, 500, 1000])
  expect(amountsOffered(0, 500)).toEqual([500, 1000])
  expect(amountsOffered(500, 500)).toEqual([500, 1000])
  expect(amountsOffered(100, 9_000_000)).toEqual([100, 9_000_000])
})

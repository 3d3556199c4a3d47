import { expect, test } from 'vitest'
import { digestText, hasRunLow, linesText, lowText, refundSubject, saleSubject, titleOf } from './news.rules.ts'

test.each([
  [6, 1, 5, false],
  [5, 1, 5, true],
  [4, 1, 5, false],
  [3, 3, 5, true],
  [1, 1, 5, false],
  [0, 1, 5, true],
  [0, 9, 5, true],
  [0, 0, 5, false],
  [20, 2, 20, true],
  [1, 1, 0, false],
])('with %i codes left after %i were sold and a limit of %i, reports low stock: %s', (left, sold, lowAt, isLow) => {
  expect(hasRunLow(left, sold, lowAt)).toBe(isLow)
})

test('the mail of a free product shows no amount', () => {
  const free = { title: 'Rain', quantity: 1, cents: 0 }
  expect([saleSubject([free]), ...linesText([free])]).toEqual(['A buyer got your product for free', '1 × Rain: Free'])
  expect(saleSubject([free, free])).toBe('A buyer got 2 products for free')
})

test('a digest lists only events that happened', () => {
  const none = { sales: 0, soldCents: 0, refunds: 0, refundedCents: 0, reviews: 0, low: 0 }
  expect(digestText(none)).toEqual([])
  expect(digestText({ ...none, sales: 1, soldCents: 1200 })).toEqual(['1 sale, revenue $12.00.'])
  expect(digestText({ sales: 12, soldCents: 123456, refunds: 1, refundedCents: 500, reviews: 2, low: 1 })).toEqual([
    '12 sales, revenue $1,234.56.',
    '1 refund: $5.00.',
    '2 new reviews.',
    '1 product ran low on codes.',
  ])
})

test('counts each line of an order as a sale, and describes the lines and the codes left', () => {
  const lines = [
    { title: 'Night Trains', quantity: 2, cents: 2400 },
    { title: 'Rain', quantity: 1, cents: 300 },
  ]
  expect(linesText(lines)).toEqual(['2 × Night Trains: $24.00', '1 × Rain: $3.00'])
  expect(lines.map((line) => saleSubject([line]))).toEqual(['You made a sale: $24.00', 'You made a sale: $3.00'])
  expect([saleSubject(lines), refundSubject(lines)]).toEqual([
    'You made 2 sales: $27.00',
    '2 sales were refunded: $27.00',
  ])
  expect([titleOf(lines), titleOf(lines.slice(1))]).toEqual(['Night Trains and 1 more', 'Rain'])
  expect([lowText('Card', 0), lowText('Card', 1)]).toEqual(['“Card” is sold out.', '“Card” has 1 code left.'])
})

import { expect, test } from 'vitest'
import type { OrderFile } from './adminOrders.contract.ts'
import { describeDelivery, describeRefunder, PAYMENT_WORDS, titlesOf, whyNoRefund } from './orderWords.rules.ts'

test('names an order by its first products', () => {
  expect(titlesOf({ titles: ['Night Trains'], lineCount: 1 })).toBe('Night Trains')
  expect(titlesOf({ titles: ['Night Trains', 'Salt'], lineCount: 5 })).toBe('Night Trains, Salt and 3 more')
})

test('describes a canceled payment without the person who canceled it', () => {
  expect(PAYMENT_WORDS.canceled).toBe('Canceled')
})

const line: Parameters<typeof describeDelivery>[0] = { delivery: 'file', deliveredAt: '18', closedAt: null, uses: [] }
const download = (at: string) => ({ kind: 'download' as const, at })
const day = (iso: string) => `Nov ${iso}`

test.each<[typeof line, string[]]>([
  [{ ...line, deliveredAt: null }, ['Not delivered']],
  [line, ['Delivered Nov 18', 'Never downloaded']],
  [{ ...line, uses: [download('19')] }, ['Delivered Nov 18', 'Downloaded Nov 19']],
  [
    { ...line, uses: [download('20'), download('19')], closedAt: '21' },
    ['Delivered Nov 18', 'Downloaded Nov 19, last Nov 20 (2 in all)', 'Closed Nov 21'],
  ],
  [{ ...line, delivery: 'code' }, ['Delivered Nov 18', 'Never revealed']],
])('summarises the delivery of a line: %#', (given, told) => {
  expect(describeDelivery(given, day)).toEqual(told)
})

const file: Pick<OrderFile, 'status' | 'offer' | 'payments' | 'risk'> = {
  ...{ status: 'pending', offer: null, payments: [], risk: null },
}
const offer = { left: '1.00', lines: [] as unknown[] } as NonNullable<OrderFile['offer']>
const held = { hold: { state: 'open' } } as NonNullable<OrderFile['risk']>
const moving = [{ status: 'capturing' }] as OrderFile['payments']

test.each([
  [{ offer }, null],
  [{ offer: { ...offer, left: '0.00' } }, /on its way/],
  [{ status: 'refunded' as const }, /^Fully refunded\.$/],
  [{ risk: held, payments: moving }, /under Risk/],
  [{ payments: moving }, /in progress/],
  [{}, /^No money/],
])('explains why nothing can be refunded: %#', (change, told) => {
  const why = whyNoRefund({ ...file, ...change })
  if (told === null) expect(why).toBeNull()
  else expect(why).toMatch(told)
})

test.each([
  ['By the buyer, at once', { isByBuyer: true, askedBy: 'ada@mail.example', approvedBy: null }],
  ['By a@shop.example', { isByBuyer: false, askedBy: 'a@shop.example', approvedBy: null }],
  [
    'By a@shop.example, approved by b@shop.example',
    { isByBuyer: false, askedBy: 'a@shop.example', approvedBy: 'b@shop.example' },
  ],
  ['Approved by b@shop.example', { isByBuyer: false, askedBy: null, approvedBy: 'b@shop.example' }],
  ['', { isByBuyer: false, askedBy: null, approvedBy: null }],
  [
    'By the seller, s@mail.example, from their balance',
    { isByBuyer: false, isBySeller: true, askedBy: 's@mail.example', approvedBy: null },
  ],
])('describes who made a refund: %s', (text, refund) => {
  expect(describeRefunder({ isBySeller: false, ...refund })).toBe(text)
})

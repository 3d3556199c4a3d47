import { expect, test } from 'vitest'
import {
  copiesToGive,
  filesOf,
  isUnpaid,
  minutesLeft,
  namesOf,
  opensGoods,
  refundedCents,
  shownStatus,
  unpaidOf,
} from './order.rules.ts'
import { shortId } from '../orders/number.rules.ts'
import type { Order, OrderLine } from './orders.contract.ts'
import { timelineOf } from './timeline.rules.ts'
import { whyFailed } from './whyFailed.rules.ts'

const line = (delivery: OrderLine['delivery']): OrderLine => ({
  id: 'l1',
  productId: 'p1',
  title: 'Night Trains',
  quantity: 1,
  price: '8.50',
  isFree: false,
  categoryId: 'audio',
  imageUrl: null,
  isReviewed: false,
  refundRequest: null,
  refunded: 0,
  delivery,
})
const file = {
  kind: 'file',
  fileName: 'a.wav',
  contentType: 'audio/wav',
  sizeBytes: 1,
  sha256: '00',
  moreFiles: 0,
} as const
const order = (given: Partial<Order>): Order => ({
  id: '0198b2de-0000-7000-8000-00007f3a92c1',
  status: 'pending',
  discounts: [],
  source: 'cart',
  total: '8.50',
  credit: '0.00',
  earned: '0.00',
  paymentMethod: null,
  paymentId: null,
  dispute: null,
  createdAt: '2026-11-18T14:01:00Z',
  expiresAt: null,
  lines: [line(null)],
  refunds: [],
  events: [{ status: 'pending', code: 'placed', at: '2026-11-18T14:01:00Z' }],
  ...given,
})
const paid = { status: 'completed', code: 'paid', at: '2026-11-18T14:02:00Z' } as const

test('shortens an order id to its last eight characters', () => {
  expect(shortId(order({}).id)).toBe('7f3a92c1')
  expect(shortId('abc')).toBe('abc')
})

test('names the first product of an order and counts the others', () => {
  expect(namesOf([line(null)])).toBe('Night Trains')
  expect(namesOf([line(null), line(null), line(null)])).toBe('Night Trains and 2 more')
})

test('offers no download for an order that is not completed', () => {
  expect(filesOf(order({ status: 'pending', lines: [line(file)] }))).toEqual([])
  expect(filesOf(order({ status: 'refunded', lines: [line(file)] }))).toEqual([])
  expect(filesOf(order({ status: 'completed', lines: [line(file), line({ kind: 'code', count: 2 })] }))).toHaveLength(1)
})

test('shows the next step of a pending order and marks a completed order as ready', () => {
  expect(timelineOf(order({})).map(({ name, isDone }) => [name, isDone])).toEqual([
    ['Placed', true],
    ['Paid', false],
    ['Ready', false],
  ])
  expect(timelineOf(order({ declinedAt: paid.at })).map(({ name, isDone }) => [name, isDone])).toEqual([
    ['Placed', true],
    ['Payment declined', false],
    ['Paid', false],
    ['Ready', false],
  ])
  const completed = order({ status: 'completed', lines: [line(file)], events: [...order({}).events, paid] })
  expect(timelineOf(completed).map(({ name, at }) => [name, at])).toEqual([
    ['Placed', '2026-11-18T14:01:00Z'],
    ['Paid', paid.at],
    ['Ready', paid.at],
  ])
})

test('ends the timeline of a failed order with the missing payment', () => {
  const failed = order({ status: 'failed', events: [...order({}).events, { ...paid, status: 'failed' }] })
  expect(timelineOf(failed).map(({ name, isDone }) => [name, isDone])).toEqual([
    ['Placed', true],
    ['Not paid', false],
  ])
  expect(isUnpaid(failed)).toBe(true)
  const late = timelineOf({ ...failed, status: 'completed', events: [...failed.events, paid], lines: [line(file)] })
  expect(late.map(({ isDone }) => isDone)).toEqual([true, false, true, true])
  const code = 'risk_refused_paid' as const
  const back = { ...failed, events: failed.events.map((event) => ({ ...event, code })) }
  expect(timelineOf(back).map(({ name }) => name)).toEqual(['Placed', 'Refunded'])
  expect(isUnpaid(back)).toBe(false)
})

test.each([
  ['canceled_by_buyer', 'cart', 'You canceled the order. Your items are back in your cart.'],
  ['canceled_by_buyer', 'product', 'You canceled the order.'],
  ['expired', 'cart', 'The time to pay ran out. Your items are back in your cart.'],
  ['expired', 'product', 'The time to pay ran out.'],
  ['other', 'product', 'The payment didn’t go through.'],
] as const)('explains a failed order (%s, bought from a %s)', (code, source, text) => {
  const events = [...order({}).events, { status: 'failed', code, at: paid.at } as const]
  expect(whyFailed(order({ status: 'failed', source, events }), ['p1'])).toBe(text)
  expect(shownStatus(order({ status: 'failed', events }))).toBe(text.startsWith('You canceled') ? 'canceled' : 'failed')
  // the cart does not have the items
  expect(whyFailed(order({ status: 'failed', source, events }), ['p2'])).not.toContain('cart')
  expect(whyFailed(order({ status: 'completed', source, events: [...events, paid] }), [])).toBeNull()
})

test('mentions the returned store credit of a failed order', () => {
  const events = [...order({}).events, { status: 'failed', code: 'expired', at: paid.at } as const]
  expect(whyFailed(order({ status: 'failed', source: 'product', credit: '1.50', events }), [])).toBe(
    'The time to pay ran out. Your store credit is back.',
  )
})

test('shows the amount and time of a refund in the timeline', () => {
  const events = [...order({}).events, paid]
  const part = { amount: '2.50', at: '2026-11-19T09:00:00Z' }
  const rest = { amount: '6.00', at: '2026-11-20T09:00:00Z' }
  const told = (given: Partial<Order>) => timelineOf(order(given)).map(({ name, at, cents }) => [name, at, cents])
  expect(told({ status: 'completed', lines: [line(file)], events, refunds: [part] }).slice(2)).toEqual([
    ['Ready', paid.at, undefined],
    ['Refunded', part.at, 250],
  ])
  const ended = [...events, { status: 'refunded', code: 'refunded', at: rest.at } as const]
  expect(told({ status: 'refunded', events: ended, refunds: [part, rest] }).slice(2)).toEqual([
    ['Refunded', part.at, 250],
    ['Refunded', rest.at, 600],
  ])
  expect(told({ status: 'refunded', events: ended }).at(-1)).toEqual(['Refunded', rest.at, undefined])
  expect(refundedCents(order({ refunds: [part, rest] }))).toBe(850)
})

test('rounds the time left to pay up to minutes', () => {
  const now = Date.parse('2026-11-18T14:00:00Z')
  expect(minutesLeft('2026-11-18T14:29:01Z', now)).toBe(30)
  expect(minutesLeft('2026-11-18T13:00:00Z', now)).toBe(0)
  expect(minutesLeft(null, now)).toBe(null)
})

test('shows copies that are reserved for gifts as ready', () => {
  const events = [...order({}).events, paid]
  const steps = timelineOf(
    order({ status: 'completed', events, lines: [line(file), { ...line(null), isToGive: true }] }),
  )
  expect(steps.at(-1)).toEqual({ name: 'Ready', at: paid.at, isDone: true })
})

test('shows no payment step for gifts and free orders', () => {
  const claimed = [
    { status: 'pending', code: 'claimed', at: '2026-11-18T14:01:00Z' } as const,
    { status: 'completed', code: 'gift', at: '2026-11-18T14:01:00Z' } as const,
  ]
  const names = (given: Partial<Order>) => timelineOf(order({ status: 'completed', ...given })).map(({ name }) => name)
  expect(names({ events: claimed, lines: [line(file)] })).toEqual(['Claimed', 'Ready'])
  const free = [...order({}).events, { ...paid, code: 'free' } as const]
  expect(names({ events: free, lines: [line(file)] })).toEqual(['Placed', 'Ready'])
  const takenBack = { at: '2026-11-19T09:00:00Z', isDisputed: false }
  const gift = order({ status: 'completed', source: 'gift', giver: 'Ada P.', takenBack, events: claimed })
  expect(timelineOf({ ...gift, lines: [{ ...line(null), refunded: 1 }] }).at(-1)).toMatchObject({
    name: 'Taken back',
    at: takenBack.at,
  })
  expect(shownStatus(gift)).toBe('taken back')
  expect(whyFailed(gift, [])).toBe('Its payment was refunded to Ada P. You paid nothing.')
  expect(shownStatus({ ...gift, takenBack: null })).toBe('completed')
})

test('shows an order under review as paid but not ready', () => {
  const since = '2026-11-18T14:02:00Z'
  const hold = { since, kind: 'hold' as const, why: [], until: '2026-11-19T14:01:00Z', isClearedByConfirming: false }
  const steps = timelineOf(order({ hold }))
  expect(steps.map(({ name, at, isDone, isNow }) => [name, at, isDone, isNow])).toEqual([
    ['Placed', '2026-11-18T14:01:00Z', true, undefined],
    ['Paid', since, true, undefined],
    ['Under review', null, false, true],
    ['Ready', null, false, undefined],
  ])
})

const waiting = order({ expiresAt: '2026-11-18T14:31:00Z' })
const hold = { isClearedByConfirming: true, until: '2026-11-18T14:31:00Z', why: [] }

test.each<[string, Partial<Order>, boolean]>([
  ['one with time left', {}, true],
  ['one that its buyer has to confirm first', { hold: { ...hold, kind: 'step_up' } }, true],
  ['one that is paid and under review', { hold: { ...hold, kind: 'hold' } }, false],
  ['one whose time is over', { expiresAt: '2026-11-18T14:02:00Z' }, false],
  ['one that is paid', { status: 'completed' }, false],
  ['one that failed', { status: 'failed' }, false],
])('shows in the cart only orders that the buyer can still pay: %s', (_, given, isTold) => {
  const asked = { ...waiting, ...given }
  expect(unpaidOf([asked], Date.parse('2026-11-18T14:02:00Z'))).toEqual(isTold ? [asked] : [])
})

const dispute = (state: 'open' | 'won') => ({ state, amount: '8.50', at: paid.at })
const code = { kind: 'code', count: 2 } as const

const first: [what: string, given: Partial<Order>, isFirst: boolean][] = [
  ['is not completed', { status: 'pending', lines: [line(file)] }, false],
  ['opens a file', { status: 'completed', lines: [line(null), line(file)] }, true],
  ['has a copy to give away', { status: 'completed', lines: [{ ...line(null), isToGive: true }] }, true],
  ['was refunded line by line', { status: 'completed', lines: [line(null)] }, false],
  ['is in a dispute', { status: 'completed', lines: [line(file)], dispute: dispute('open') }, false],
  ['won its dispute', { status: 'completed', lines: [line(file)], dispute: dispute('won') }, true],
]
test.each(first)('decides whether an order that %s opens goods', (_what, given, isFirst) => {
  expect(opensGoods(order(given))).toBe(isFirst)
})

test.each([
  ['one copy of a file', { ...line(file) }, 0],
  ['three copies of a file', { ...line(file), quantity: 3 }, 2],
  ['three copies, one of them given', { ...line(file), quantity: 3, given: 1 }, 1],
  ['three copies, one of them refunded', { ...line(file), quantity: 3, refunded: 1 }, 1],
  ['a copy of what the buyer owned', { ...line(null), isToGive: true }, 1],
  ['two codes', { ...line(code), quantity: 2 }, 0],
])('%s: the buyer may give away those beside the own copy', (_name, bought, count) => {
  expect(copiesToGive(bought)).toBe(count)
})

import { expect, test } from 'vitest'
import type { RefundOffer } from './refund.contract.ts'
import { describeRefund, needsApproval, readAmount } from './refund.texts.rules.ts'
import { METHOD } from '../../../test/payment.ts'

const offer: RefundOffer = {
  ...{ paid: '10.00', left: '10.00', credit: '0.00', bonus: '0.00', to: METHOD },
  ...{
    isDisputed: false,
    lines: [],
    isSandbox: false,
    isUnused: false,
    isErased: false,
    codesSeenAt: null,
    approvalAbove: null,
  },
}
const shared = 'The sellers return their part of it, and the shop its fee.'
const told = 'The buyer is told by mail. It cannot be undone.'
const ended = 'The order ends as refunded: its files and codes can no longer be opened, and reviews of it are hidden.'

test.each<[string, Partial<RefundOffer>, number, string[]]>([
  ['all', {}, 1000, ['$10.00 goes back through PayPal to where it came from.', ended]],
  [
    'a part',
    { isSandbox: true },
    250,
    [
      '$2.50 goes back through PayPal (sandbox, no real money) to where it came from.',
      'The buyer keeps what was bought. $7.50 can still be given back later.',
    ],
  ],
  [
    'the rest beside store credit and a bonus',
    { left: '7.50', credit: '4.00', bonus: '1.50' },
    750,
    [
      '$7.50 goes back through PayPal to where it came from.',
      '$4.00 of store credit, which paid the rest, is the buyer’s again.',
      ended,
      '$1.13 of the first-purchase bonus is taken back, also when it is spent already.',
    ],
  ],
  [
    'a part beside store credit',
    { credit: '4.00' },
    1,
    [
      '$0.01 goes back through PayPal to where it came from.',
      'The $4.00 that store credit paid comes back with the last of the money, not now.',
      'The buyer keeps what was bought. $9.99 can still be given back later.',
    ],
  ],
  ['what credit paid', { to: 'store credit' }, 1000, ['$10.00 becomes the buyer’s store credit again.', ended]],
  [
    'what never became goods',
    { isUnused: true, credit: '4.00', bonus: '1.50' },
    1000,
    ['All of a payment that never became goods goes back through PayPal, in the currency it came in.'],
  ],
])('describes a refund of %s', (_, change, cents, lines) => {
  expect(describeRefund({ ...offer, ...change }, cents)).toEqual([
    ...lines,
    // money that paid for no goods has no seller
    ...(change.isUnused ? [] : [shared]),
    told,
  ])
})

test.each<[boolean, Partial<RefundOffer>, number]>([
  [false, {}, 500],
  [true, {}, 501],
  [false, { left: '7.50' }, 250],
  [true, { left: '7.50' }, 251],
  [true, { isUnused: true }, 1000],
  // store credit that returns with the last of the money counts
  [false, { credit: '4.00', approvalAbove: '10.00' }, 999],
  [true, { credit: '4.00', approvalAbove: '10.00' }, 1000],
  [false, { to: 'store credit', approvalAbove: '10.00' }, 1000],
  [false, { approvalAbove: null }, 1000],
])('shows %s that another member of staff must approve: %j, %i cents', (isSaid, change, cents) => {
  const given = { ...offer, approvalAbove: '5.00', ...change }
  expect(needsApproval(given, cents)).toBe(isSaid)
  expect(describeRefund(given, cents)[0]!.startsWith('Another member of staff has to approve it first')).toBe(isSaid)
})

test('warns about the mail and credit of an erased buyer', () => {
  const erased = { ...offer, isErased: true }
  const last = 'The buyer’s account is erased: nobody is told. It cannot be undone.'
  for (const change of [{}, { isUnused: true }])
    expect(describeRefund({ ...erased, ...change }, 1000).at(-1)).toBe(last)
  expect(describeRefund({ ...erased, to: 'store credit' }, 1000)).toEqual([
    '$10.00 becomes store credit of the erased account, which nobody can open.',
    ended,
    shared,
    last,
  ])
  expect(describeRefund({ ...erased, credit: '4.00' }, 1000)[1]).toBe(
    '$4.00 of store credit, which paid the rest, goes to the erased account, which nobody can open.',
  )
})

test.each([
  ['2.50', 250],
  ['2,50', 250],
  [' $10 ', 1000],
  ['.5', 50],
  ['10.01', { problem: 'At most $10.00 can be given back.' }],
  ['1,000.00', { problem: 'At most $10.00 can be given back.' }],
  ['0', { problem: 'Type more than nothing.' }],
  ['', { problem: 'Type dollars and cents, such as 2.50.' }],
  ['-1', { problem: 'Type dollars and cents, such as 2.50.' }],
  ['1.234', { problem: 'Type dollars and cents, such as 2.50.' }],
  ['all', { problem: 'Type dollars and cents, such as 2.50.' }],
])('parses the amount %j as %j', (typed, read) => {
  expect(readAmount(typed, 1000)).toEqual(read)
})

test('shows that the request stays open only for a partial refund of an order with several paid lines', () => {
  const line = { id: 'x', title: 'Salt', copies: 1, returned: 0, paid: '5.00', left: '5.00' }
  const two = { ...offer, lines: [line, { ...line, id: 'y' }] }
  const staysOpen = (...given: Parameters<typeof describeRefund>) =>
    describeRefund(...given).some((text) => text.includes('request stays open'))
  expect(staysOpen(two, 200, null, true)).toBe(true)
  expect(staysOpen(two, 200, null, false)).toBe(false)
  expect(staysOpen(two, 1000, null, true)).toBe(false)
  expect(staysOpen({ ...offer, lines: [line, { ...line, paid: '0.00' }] }, 200, null, true)).toBe(false)
})

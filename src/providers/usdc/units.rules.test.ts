import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  centsOf,
  exceptionOf,
  formatUnits,
  isTestNetwork,
  networkName,
  standingOf,
  type Transfer,
  transferUri,
  unitsOf,
} from './units.rules.ts'

test.each([
  [0, '0.00'],
  [1, '0.000001'],
  [10_000, '0.01'],
  [62_550_000, '62.55'],
  [62_555_000, '62.555'],
  [1_000_000, '1.00'],
  [999_999, '0.999999'],
])('formats %d units as %s', (units, text) => expect(formatUnits(units)).toBe(text))

test('counts whole cents and drops fractions of a cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 0, max: 9_999 }), (cents, dust) => {
      expect(centsOf(unitsOf(cents) + dust)).toBe(cents)
    }),
  )
})

const END = new Date('2026-11-23T12:00:00Z')
const OPENED = new Date(END.getTime() - 30 * 60_000)
const asked = {
  status: 'created',
  units: 10_000_000,
  openedAt: OPENED,
  expiresAt: END,
  isClosed: false,
  isAccepted: false,
}
const at = (minutes: number) => new Date(END.getTime() + minutes * 60_000)
const transfer = (units: number, isConfirmed = false, minutes = -10): Transfer => ({
  units,
  blockNumber: 1,
  blockAt: at(minutes),
  isConfirmed,
})

test.each([
  ['nothing', [], 'waiting'],
  ['a part', [transfer(9_999_999)], 'partial'],
  ['a confirmed part', [transfer(9_999_999, true)], 'partial'],
  ['all of it', [transfer(10_000_000)], 'seen'],
  ['two parts, one of them confirmed', [transfer(4_000_000, true), transfer(6_000_000)], 'seen'],
  ['all of it, confirmed', [transfer(4_000_000, true), transfer(6_000_000, true)], 'confirmed'],
  ['more than it asks', [transfer(10_000_001, true)], 'confirmed'],
] as const)('with %s, the payment is %s', (_, transfers, kind) => {
  expect(standingOf(asked, [...transfers]).kind).toBe(kind)
})

test.each([
  ['waits', { status: 'created' }, 1, 'confirmed'],
  ['expired, and the block came before', { status: 'expired' }, -1, 'confirmed'],
  ['expired, and the block came after', { status: 'expired' }, 1, 'waiting'],
  ['was given the address of an earlier one', { status: 'created' }, -60, 'waiting'],
  ['was canceled', { status: 'canceled' }, -1, 'waiting'],
  ['was closed for another method', { status: 'expired', isClosed: true }, -1, 'waiting'],
  ['expired, and staff accept it', { status: 'expired', isAccepted: true }, 1, 'confirmed'],
  ['was canceled, and staff accept it', { status: 'canceled', isAccepted: true }, 1, 'confirmed'],
])('decides whether a transfer counts when the payment %s', (_, change, minutes, kind) => {
  expect(standingOf({ ...asked, ...change }, [transfer(10_000_000, true, minutes)]).kind).toBe(kind)
})

test.each([
  ['captured', 1000, 0, null],
  ['captured', 1300, 300, { kind: 'overpaid', amountCents: 300 }],
  ['refunded', 1300, 300, { kind: 'overpaid', amountCents: 300 }],
  ['captured', 0, -1000, { kind: 'reorganised', amountCents: 1000 }],
  ['expired', 600, 600, { kind: 'underpaid', amountCents: 600 }],
  ['canceled', 1000, 1000, { kind: 'late', amountCents: 1000 }],
  ['expired', 1200, 1200, { kind: 'late', amountCents: 1200 }],
  ['mismatched', 1200, 200, { kind: 'overpaid', amountCents: 200 }],
])(
  'opens the right exception for a payment that is %s with %d confirmed and %d owed',
  (status, confirmedCents, owedCents, wanted) => {
    expect(exceptionOf({ status, amountCents: 1000, confirmedCents, owedCents })).toEqual(wanted)
  },
)

test('formats the payment link of the QR code', () => {
  expect(transferUri({ token: '0xT', chainId: 8453, address: '0xA', units: 62_550_000 })).toBe(
    'ethereum:0xT@8453/transfer?address=0xA&uint256=62550000',
  )
})

test('returns the name of a network and whether its money is real', () => {
  expect([networkName(8453), networkName(4242)]).toEqual(['Base', 'Chain 4242'])
  expect([8453, 1, 4242, 84532, 31337].map(isTestNetwork)).toEqual([false, false, false, true, true])
})

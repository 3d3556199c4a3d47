import { expect, test } from 'vitest'
import { judgeCapture, type ProviderOrder, weightiest } from './capture.rules.ts'

const payment = {
  id: 'payment-1',
  status: 'capturing',
  amountCents: 4499,
  currency: 'USD',
  providerOrderId: 'ORDER1',
  declinedCaptures: ['OLD'],
}
const capture = { id: 'CAP1', status: 'COMPLETED', amountCents: 4499, currency: 'USD', customId: 'payment-1' }
const told: ProviderOrder = {
  id: 'ORDER1',
  status: 'COMPLETED',
  capture,
  payerId: undefined,
  payerEmail: undefined,
  vaultId: undefined,
}

test.each([
  ['captured in full', {}, {}, 'paid'],
  ['captured in full, a part given back since', {}, { status: 'PARTIALLY_REFUNDED' }, 'paid'],
  ['captured and given back since', {}, { status: 'REFUNDED' }, 'givenBack'],
  ['captured one cent short', {}, { amountCents: 4498 }, 'mismatched'],
  ['captured one cent too much', {}, { amountCents: 4500 }, 'mismatched'],
  ['captured in another currency', {}, { currency: 'JPY' }, 'mismatched'],
  ['captured for another payment', {}, { customId: 'payment-2' }, 'mismatched'],
  ['captured for no payment', {}, { customId: undefined }, 'mismatched'],
  ['captured in another order', { id: 'ORDER2' }, {}, 'mismatched'],
  ['completed, its capture pending', {}, { status: 'PENDING' }, 'waiting'],
  ['completed, its capture of an unknown state', {}, { status: 'SOMETHING' }, 'waiting'],
  ['declined', {}, { status: 'DECLINED' }, 'declined'],
  ['failed', {}, { status: 'FAILED' }, 'declined'],
  ['declined in an earlier try', {}, { id: 'OLD', status: 'DECLINED' }, 'waiting'],
  ['approved, not captured', { status: 'APPROVED', capture: null }, {}, 'waiting'],
] as const)('an order that is %s', (_, order, change, kind) => {
  const whole = 'capture' in order ? { ...told, ...order } : { ...told, ...order, capture: { ...capture, ...change } }
  expect(judgeCapture(payment, whole as ProviderOrder).kind).toBe(kind)
})

test.each(['captured', 'refunded', 'part_refunded', 'mismatched'])(
  'a payment that is %s is not judged again',
  (status) => {
    expect(judgeCapture({ ...payment, status }, told).kind).toBe('settled')
  },
)

test.each([
  [[], undefined],
  [['DECLINED 1'], 'DECLINED 1'],
  [['DECLINED 1', 'DECLINED 2'], 'DECLINED 2'],
  [['DECLINED 1', 'COMPLETED 2'], 'COMPLETED 2'],
  [['COMPLETED 1', 'DECLINED 2'], 'COMPLETED 1'],
  [['PENDING 1', 'FAILED 2'], 'PENDING 1'],
])('of the captures %j counts %s', (captures, counts) => {
  const named = captures.map((name) => ({ name, status: name.split(' ')[0]! }))
  expect(weightiest(named)?.name).toBe(counts)
})

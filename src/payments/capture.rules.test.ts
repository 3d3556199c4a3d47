import { expect, test } from 'vitest'
import { judgeCapture, type ProviderOrder } from './capture.rules.ts'

const payment = { id: 'payment-1', status: 'capturing', amountCents: 4499, currency: 'USD', providerOrderId: 'ORDER1' }
const capture = { id: 'CAP1', status: 'COMPLETED', amountCents: 4499, currency: 'USD', customId: 'payment-1' }
const told: ProviderOrder = { id: 'ORDER1', status: 'COMPLETED', capture, payerEmail: undefined, vaultId: undefined }

test.each([
  ['captured in full', {}, {}, 'paid'],
  ['captured in full, a part given back since', {}, { status: 'PARTIALLY_REFUNDED' }, 'paid'],
  ['captured and given back since', {}, { status: 'REFUNDED' }, 'declined'],
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

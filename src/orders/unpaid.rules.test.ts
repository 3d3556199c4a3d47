import { expect, test } from 'vitest'
import type { Order } from './orders.contract.ts'
import { unpaidOf } from './unpaid.rules.ts'

const NOW = Date.parse('2026-11-18T14:02:00Z')
const waiting: Order = {
  id: '0198b2de-0000-7000-8000-00007f3a92c1',
  ...{ status: 'pending', source: 'cart', total: '8.50', credit: '0.00', paymentMethod: null, paymentId: null },
  ...{ createdAt: '2026-11-18T14:01:00Z', expiresAt: '2026-11-18T14:31:00Z', lines: [], refunds: [], events: [] },
}
const hold = { isClearedByConfirming: true, until: '2026-11-18T14:31:00Z', why: [] }

test.each<[string, Partial<Order>, boolean]>([
  ['one with time left', {}, true],
  ['one that its buyer has to confirm first', { hold: { ...hold, kind: 'step_up' } }, true],
  ['one that is paid and under review', { hold: { ...hold, kind: 'hold' } }, false],
  ['one whose time is over', { expiresAt: '2026-11-18T14:02:00Z' }, false],
  ['one that is paid', { status: 'completed' }, false],
  ['one that failed', { status: 'failed' }, false],
])('mentions an order that waits for payment in the cart: %s', (_, given, isTold) => {
  const order = { ...waiting, ...given }
  expect(unpaidOf([order], NOW)).toEqual(isTold ? [order] : [])
})

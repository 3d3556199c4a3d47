import { expect, test } from 'vitest'
import { outcomeOf, weightiest } from './wire.server.ts'

test.each([
  [[], undefined],
  [['DECLINED 1'], 'DECLINED 1'],
  [['DECLINED 1', 'DECLINED 2'], 'DECLINED 2'],
  [['DECLINED 1', 'COMPLETED 2'], 'COMPLETED 2'],
  [['COMPLETED 1', 'DECLINED 2'], 'COMPLETED 1'],
  [['PENDING 1', 'FAILED 2'], 'PENDING 1'],
])('picks the capture that counts of %j: %s', (captures, picked) => {
  const named = captures.map((name) => ({ name, status: name.split(' ')[0]! }))
  expect(weightiest(named)?.name).toBe(picked)
})

test('returns the brand and last digits of the card that paid', () => {
  const capture = { id: 'CAP-1', status: 'COMPLETED', amount: { currency_code: 'USD', value: '10.00' } }
  const order = { id: 'ORDER-1', status: 'COMPLETED', purchase_units: [{ payments: { captures: [capture] } }] }
  const byCard = { ...order, payment_source: { card: { brand: 'MASTERCARD', last_digits: '4444' } } }
  expect(outcomeOf(byCard)).toMatchObject({ kind: 'captured', card: 'Mastercard ending in 4444' })
  expect(outcomeOf(order)).not.toHaveProperty('card')
})

import { expect, test } from 'vitest'
import { ACTS, describeDetails, KINDS, nameOfAct } from './audit.rules.ts'

test('every act belongs to a selectable kind', () => {
  for (const act of Object.keys(ACTS)) expect(Object.keys(KINDS)).toContain(act.split('.')[0])
})

test('shows an unknown act of a later version by its code', () => {
  expect(nameOfAct('order.refunded')).toBe('Refunded an order')
  expect(nameOfAct('order.unheard_of')).toBe('order.unheard_of')
})

test.each([
  [{}, ''],
  [{ amount: '$1.00' }, 'amount: $1.00'],
  [{ amount: '$1.00', reason: 'damaged' }, 'amount: $1.00 · reason: damaged'],
])('describes %j as %j', (details, text) => expect(describeDetails(details)).toBe(text))

import { expect, test } from 'vitest'
import { countOpenable, describeOpenable } from './openable.rules.ts'
import type { Owned } from './owned.contract.ts'

test('counts the things that open without a connection', () => {
  const kept = (kind: Owned['kind'], closedBy: Owned['closedBy'] = null) => ({ owned: { kind, closedBy } as Owned })
  expect(countOpenable([], 0)).toBe(0)
  expect(countOpenable([kept('file'), kept('file')], 1)).toBe(3)
  expect(countOpenable([kept('file', 'refund'), kept('license')], 0)).toBe(0)
})

test.each([
  [null, 'You can open what is on this device. The rest opens when you’re back online.'],
  [0, 'Nothing is stored on this device. Your things open when you’re back online.'],
  [1, 'You can still open 1 thing on this device. The rest opens when you’re back online.'],
  [3, 'You can still open 3 things on this device. The rest opens when you’re back online.'],
])('without a connection and with %s things on the device, the library says: %s', (count, text) => {
  expect(describeOpenable(count)).toBe(text)
})

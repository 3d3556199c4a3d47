import { expect, test } from 'vitest'
import { daysOf, pathOfSubject } from './auditList.rules.ts'

test.each([
  ['order.refunded', '/admin/orders/7'],
  ['dispute.answered', '/admin/orders/7'],
  ['account.role', '/admin/members/7'],
  ['security.password', '/admin/members/7'],
  ['seller.suspended', '/admin/members/7'],
  ['product.taken_down', '/product/7'],
  ['payout.sent', null],
  ['an act of a later version', null],
])('an entry about %s links %s', (act, path) => expect(pathOfSubject(act, '7')).toBe(path))

test('the entries of one day have one heading, in their order', () => {
  const entries = ['2 b', '2 a', '1 c']
  expect(daysOf(entries, (entry) => entry.slice(0, 1))).toEqual([
    ['2', ['2 b', '2 a']],
    ['1', ['1 c']],
  ])
})

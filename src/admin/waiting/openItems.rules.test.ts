import { expect, test } from 'vitest'
import { ageOf } from './age.rules.ts'
import { addressOf, groupItems, ownerOf, summarize, titleOf } from './openItems.rules.ts'
import type { OpenItem, Waiting } from './waiting.contract.ts'

const NOW = Date.parse('2026-11-22T14:00:00Z')
const id = '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f'
const before = (ms: number) => new Date(NOW - ms).toISOString()
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const item = (change: Partial<OpenItem>): OpenItem => ({
  ...{ kind: 'chats', id, about: 'ada@test.example', amount: null, since: before(MINUTE), dueAt: null },
  ...{ owner: null, isMine: false },
  ...change,
})

test.each<[Partial<OpenItem>, string, boolean]>([
  [{ since: before(0) }, 'Waiting for 1 min', false],
  [{ since: before(59 * MINUTE) }, 'Waiting for 59 min', false],
  [{ since: before(HOUR) }, 'Waiting for 1 h', false],
  [{ since: before(47 * HOUR) }, 'Waiting for 47 h', true],
  [{ since: before(49 * HOUR) }, 'Waiting for 2 days', true],
  [{ dueAt: before(-7 * 24 * HOUR) }, '7 days left', false],
  [{ dueAt: before(-3 * HOUR) }, '3 h left', true],
  [{ dueAt: before(3 * HOUR) }, 'Overdue by 3 h', true],
])('shows the age or the time left of %j', (change, text, isLate) => {
  expect(ageOf(item(change), NOW)).toEqual({ text, isLate })
})

test('writes a title with the amount and the member, and the address of the item or of its page', () => {
  const dispute = item({ kind: 'disputes', amount: '19.00', about: null })
  expect([titleOf(dispute), addressOf(dispute)]).toEqual([
    'Dispute over $19.00 by a former member',
    `/admin/disputes/${id}`,
  ])
  const payout = item({ kind: 'payouts', amount: '5.00' })
  expect([titleOf(payout), addressOf(payout)]).toEqual(['Payout of $5.00 to ada@test.example', '/admin/payouts'])
})

test.each<[OpenItem['kind'], string]>([
  ['chats', 'Message from a former member'],
  ['payouts', 'Payout of $5.00 to a former member'],
  ['reports', 'Report about a deleted product'],
  ['messageReports', 'Messages reported by a former member'],
  ['codeCases', 'Bad code of a deleted product'],
  ['supply', 'Codes of a deleted product'],
])('an item of %s without a name has the title "%s"', (kind, title) => {
  expect(titleOf(item({ kind, amount: '5.00', about: null }))).toBe(title)
})

test.each<[Partial<OpenItem>, string]>([
  [{}, 'Nobody yet'],
  [{ owner: 'Sam' }, 'Sam'],
  [{ owner: 'Sam', isMine: true }, 'You'],
  [{ kind: 'payouts' }, 'Nobody yet'],
  [{ kind: 'payouts', owner: 'Sam' }, 'Approved first by Sam'],
  [{ kind: 'refundApprovals', owner: 'Sam' }, 'Asked by Sam'],
  [{ kind: 'messageReports', owner: 'Sam' }, 'About Sam'],
])('names who handles %j as "%s"', (change, text) => {
  expect(ownerOf(item(change))).toBe(text)
})

test.each([
  ['refund', 'USDC refund of $5.00 to send'],
  ['underpaid', 'Underpaid USDC transfer of $5.00'],
  ['overpaid', '$5.00 overpaid in USDC'],
  ['late', 'Late USDC transfer of $5.00'],
  ['reorganised', 'USDC transfer of $5.00 undone by the network'],
  [null, 'USDC transfer of $5.00'],
])('a USDC exception of kind %s has the title "%s"', (about, title) => {
  expect(titleOf(item({ kind: 'transfers', amount: '5.00', about }))).toBe(title)
})

test('groups the items by kind, the most urgent first, with the number of items that are not shown', () => {
  const [late, early] = [item({ since: before(HOUR) }), item({ since: before(2 * HOUR), isMine: true })]
  const dispute = item({ kind: 'disputes', amount: '19.00' })
  const waiting: Waiting[] = [
    { kind: 'disputes', count: 1, mine: 0, oldestAt: before(MINUTE) },
    { kind: 'chats', count: 12, mine: 3, oldestAt: before(2 * HOUR) },
    { kind: 'payouts', count: 0, mine: 0, oldestAt: null },
  ]
  expect(groupItems([dispute, late, early], waiting, false)).toEqual([
    { kind: 'disputes', items: [dispute], more: 0 },
    { kind: 'chats', items: [early, late], more: 10 },
  ])
  expect(groupItems([dispute, late, early], waiting, true)).toEqual([{ kind: 'chats', items: [early], more: 2 }])
  expect(summarize(waiting, NOW)).toBe('13 open items, the oldest for 2 h')
  expect(summarize([], NOW)).toBe('Nothing waits for you')
})

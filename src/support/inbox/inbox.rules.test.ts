import { expect, test } from 'vitest'
import type { Conversation } from './inbox.contract.ts'
import { describeWaiting, pickConversations, spell } from './inbox.rules.ts'

const MINUTE = 60_000
const now = Date.parse('2026-11-21T12:00:00Z')
const one = (userId: string, waitingMinutes: number | null, unread = 0): Conversation => ({
  userId,
  name: 'Ada Okafor',
  email: 'ada@example.com',
  joinedAt: '2026-01-01T00:00:00Z',
  lastAt: '2026-11-21T11:00:00Z',
  lastMessage: 'Hi',
  lastIsFromUser: true,
  unread,
  isLate: false,
  isForPerson: false,
  assignee: null,
  snoozedUntil: null,
  tags: [],
  waitingSince: waitingMinutes === null ? null : new Date(now - waitingMinutes * MINUTE).toISOString(),
})

test.each([
  [0, 'less than a minute'],
  [1, '1 minute'],
  [59, '59 minutes'],
  [60, '1 hour'],
  [47 * 60, '47 hours'],
  [48 * 60, '2 days'],
])('formats %i minutes as %s', (minutes, text) => expect(spell(minutes * MINUTE)).toBe(text))

test('shows the number of waiting customers and the longest wait', () => {
  expect(describeWaiting({ waiting: 0, waitingSince: null }, now)).toBe('No one is waiting')
  const waitingSince = new Date(now - 6 * MINUTE).toISOString()
  expect(describeWaiting({ waiting: 2, waitingSince }, now)).toBe('2 waiting, the oldest for 6 minutes')
})

test('counts a read conversation as waiting until staff answer it', () => {
  const all = [one('unread', 5, 1), one('read', 3), one('answered', null, 1)]
  expect(pickConversations(all, 'waiting').map(({ userId }) => userId)).toEqual(['unread', 'read'])
  expect(pickConversations(all, 'all')).toHaveLength(3)
})

import { expect, test } from 'vitest'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { describeCounts, describeReveals } from './case.texts.rules.ts'

test.each([
  [false, 'The buyer'],
  [true, 'The recipient of the gift'],
])('describes how often the owner of a code saw it (a gift: %s)', (isGift, who) => {
  const [firstAt, lastAt] = ['2026-11-03T10:12:00.000Z', '2026-11-05T09:00:00.000Z']
  const describe = (reveals: Parameters<typeof describeReveals>[0]['reveals']) => describeReveals({ reveals, isGift })
  expect(describe({ count: 0, firstAt: null, lastAt: null })).toBe('')
  expect(describe({ count: 1, firstAt, lastAt: firstAt })).toBe(`${who} saw it once, on ${formatMoment(firstAt)}.`)
  expect(describe({ count: 3, firstAt, lastAt })).toBe(
    `${who} saw it 3 times, first on ${formatMoment(firstAt)}, last on ${formatMoment(lastAt)}.`,
  )
})

test('counts the reports of the owner and of the seller', () => {
  const counts = { buyer: 3, seller: 1 }
  expect(describeCounts({ counts, isGift: false })).toBe(
    'This buyer reported 3 times in 90 days, this seller was reported once.',
  )
  expect(describeCounts({ counts, isGift: true })).toContain('This recipient reported 3 times')
})

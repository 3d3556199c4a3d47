import { expect, test } from 'vitest'
import { placeOf, seenText } from './sessions.rules.ts'

const NOW = Date.parse('2026-11-18T12:00:00Z')
const at = (iso: string, isThis = false) => seenText({ isThis, lastSeenAt: iso }, NOW, () => 'Nov 17, 2026')

test.each([
  ['2026-11-18T11:30:00Z', 'Seen within the hour'],
  // the clock of this device is behind
  ['2026-11-18T12:10:00Z', 'Seen within the hour'],
  ['2026-11-18T10:45:00Z', 'Seen 1 hour ago'],
  ['2026-11-18T07:45:00Z', 'Seen 4 hours ago'],
  ['2026-11-17T07:45:00Z', 'Seen Nov 17, 2026'],
])('describes a session last used at %s as "%s"', (iso, text) => {
  expect(at(iso)).toBe(text)
})

test('shows this device as active even if its record is old', () => {
  expect(at('2026-11-18T07:45:00Z', true)).toBe('Active now')
})

test('returns the name of a country, or an empty text', () => {
  expect([placeOf('DE'), placeOf(null)]).toEqual(['Germany', ''])
})

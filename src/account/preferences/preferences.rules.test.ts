import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lookOf, meet, type Preferences, readPreferences, standard } from './preferences.rules.ts'

const chosen: Preferences = {
  theme: 'purple',
  mode: 'dark',
  textSize: 150,
  canZoom: true,
  isSynced: false,
  isUnsent: true,
  owner: 'ada',
}

test('reads back what it wrote', () => {
  expect(readPreferences(JSON.stringify(chosen))).toEqual(chosen)
})

test.each([null, '', 'null', '7', '[]', '{"theme":"neon","mode":1,"textSize":900,"canZoom":"yes","isSynced":"no"}'])(
  'shows the standard look for the stored text %j',
  (kept) => {
    expect(readPreferences(kept)).toEqual(standard)
  },
)

test('reads any stored text without failing', () => {
  fc.assert(
    fc.property(fc.string(), (kept) => {
      expect(readPreferences(kept).theme).toBeTruthy()
    }),
  )
})

const account = lookOf({ ...standard, theme: 'silver' })

test.each<[string, Partial<Preferences>, typeof account | null, string]>([
  ['a new device adopts the look of the account', {}, account, 'take'],
  ['changes nothing on a new device of an account without a look', {}, null, 'nothing'],
  ['sends a change that was made offline', { isUnsent: true, owner: 'ada' }, account, 'send'],
  ['sends a change that was made before the first response', { isUnsent: true }, null, 'send'],
  ['ignores an unsent change of another account', { isUnsent: true, owner: 'bob' }, account, 'take'],
  ['ignores it for an account without a look, too', { isUnsent: true, owner: 'bob' }, null, 'nothing'],
  ['changes nothing without Auto Sync', { isSynced: false, isUnsent: true }, account, 'nothing'],
])('%s', (_, device, look, act) => {
  expect(meet({ ...standard, ...device }, 'ada', look)).toBe(act)
})

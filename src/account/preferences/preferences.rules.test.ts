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
  'a device that kept %j shows the standard look',
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
  ['a new device takes the look of the account', {}, account, 'take'],
  ['a new device and an account without a look change nothing', {}, null, 'nothing'],
  ['a change made offline is the last write', { isUnsent: true, owner: 'ada' }, account, 'send'],
  ['a change made before the first answer came is sent', { isUnsent: true }, null, 'send'],
  ["what somebody else left on the device does not become Ada's", { isUnsent: true, owner: 'bob' }, account, 'take'],
  ['nor when she has none yet', { isUnsent: true, owner: 'bob' }, null, 'nothing'],
  ['without Auto Sync each keeps its own', { isSynced: false, isUnsent: true }, account, 'nothing'],
])('%s', (_, device, look, act) => {
  expect(meet({ ...standard, ...device }, 'ada', look)).toBe(act)
})

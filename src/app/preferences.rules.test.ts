import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Preferences, readPreferences, standard } from './preferences.rules.ts'

test('what was chosen is read back', () => {
  const chosen: Preferences = { theme: 'purple', mode: 'dark', textSize: 150, canZoom: true }
  expect(readPreferences(JSON.stringify(chosen))).toEqual(chosen)
})

test.each([null, '', 'null', '7', '[]', '{"theme":"neon","mode":1,"textSize":900,"canZoom":"yes"}'])(
  'a device that kept %j shows the standard look',
  (kept) => {
    expect(readPreferences(kept)).toEqual(standard)
  },
)

test('nothing a device keeps breaks the shop', () => {
  fc.assert(
    fc.property(fc.string(), (kept) => {
      expect(readPreferences(kept).theme).toBeTruthy()
    }),
  )
})

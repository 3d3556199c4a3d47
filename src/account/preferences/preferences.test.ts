import { expect, test } from 'vitest'
import { openShopForTests } from '../../../test/shop.ts'
import { getPreferences, savePreferences } from './preferences.contract.ts'
import { THEMES, TEXT_SIZES } from './preferences.rules.ts'

const open = openShopForTests()
const look = { theme: 'purple', mode: 'dark', textSize: 125, canZoom: true } as const

test('shares a saved look with other devices, and the last write wins', async () => {
  const ada = await open.shop.join()
  const bob = await open.shop.join()
  expect(await ada.call(getPreferences, {})).toEqual({ look: null })
  expect(await ada.call(savePreferences, look)).toEqual({ look })
  await ada.call(savePreferences, { ...look, theme: 'silver' })
  expect(await ada.call(getPreferences, {})).toEqual({ look: { ...look, theme: 'silver' } })
  expect(await bob.call(getPreferences, {})).toEqual({ look: null })
})

test('accepts every choice that Settings offers', async () => {
  const ada = await open.shop.join()
  for (const { id: theme } of THEMES)
    for (const textSize of TEXT_SIZES) await ada.call(savePreferences, { ...look, theme, textSize })
})

test.each([
  { theme: 'neon' },
  { mode: 'dim' },
  { textSize: 110 },
  { textSize: '125' },
  { canZoom: 1 },
  { isAdmin: true },
])('rejects a look with %j', async (wrong) => {
  const ada = await open.shop.join()
  await expect(ada.call(savePreferences, { ...look, ...wrong } as never)).rejects.toMatchObject({ status: 400 })
  expect(await ada.call(getPreferences, {})).toEqual({ look: null })
})

import { expect, test } from 'vitest'
import { addressOfFailed, lazy } from './lazy.client.ts'

const SCRIPT = 'https://shop.example/assets/PasswordDialog-Ab_1.js'

test.each([
  ['Firefox', new TypeError(`error loading dynamically imported module: ${SCRIPT}`), SCRIPT],
  ['Chromium', new TypeError(`Failed to fetch dynamically imported module: ${SCRIPT}`), SCRIPT],
  ['WebKit, which reports no address', new TypeError('Importing a module script failed.'), undefined],
  ['a script of another site', new TypeError('error loading: https://other.example/x.js'), undefined],
  ['a fault within the script', new Error('Script has no Dialog'), undefined],
])('reads the address of a failed script from the error of %s', (_, error, address) =>
  expect(addressOfFailed(error)).toBe(address),
)

test('loads a failed script again', async () => {
  let tries = 0
  const part = lazy(async () => {
    if (tries++ === 0) throw new TypeError('Importing a module script failed.')
    return { Part: 'here' }
  }, 'Part')
  await part.preload()
  expect(part.isHere()).toBe(false)
  await part.preload()
  expect(part.isHere()).toBe(true)
})

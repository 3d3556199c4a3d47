import { expect, test } from 'vitest'
import { findPath, PAGE_PATHS } from './paths.ts'

const ID = '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f'
const RIGHT: Record<string, string> = {
  ':id': ID,
  ':userId': ID,
  ':idOrNew': 'new',
  ':handle': 'salt-and-time',
  ':token': 'Ab_-'.repeat(8),
  ':slug': 'codes',
}
const pathAt = (address: string) => findPath(address, PAGE_PATHS)
const fill = (path: string, part: (place: string) => string) => path.replace(/:\w+/g, part)
const personal = PAGE_PATHS.filter((path) => path.includes(':'))

test.each(PAGE_PATHS)('%s matches its own address', (path) => {
  const address = fill(path, (place) => RIGHT[place]!)
  expect(pathAt(address)).toBe(path)
  expect(pathAt(`${address}/x/y/z`)).toBeUndefined()
})

// A cache that decides by file extension would store the page.
test.each(personal)('%s is not found under a file name', (path) => {
  for (const name of ['a.js', 'x.png', `${ID}.css`, '..', '%2e%2e.js'])
    expect(pathAt(fill(path, () => name)), name).toBeUndefined()
})

test.each(personal.filter((path) => path.includes(':id')))('%s is not found for an id that is not a UUID', (path) => {
  for (const id of ['1', 'a', ID.toUpperCase(), `${ID}0`]) expect(pathAt(fill(path, () => id)), id).toBeUndefined()
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Product } from '../src/catalogue/catalogue.contract.ts'
import { catalogueRoutes } from '../src/catalogue/catalogue.server.ts'
import { openCodeVault } from '../src/delivery/codes/vault.server.ts'
import { type Served, startServed } from '../test/served.ts'
import { addProducts, readProducts } from './seed.ts'

/** A search and its expected product: the start of a title, or a category for any product in it. */
const searches = JSON.parse(readFileSync(join(import.meta.dirname, 'searches.json'), 'utf8')) as [string, string][]

let shop: Served
beforeAll(async () => {
  shop = await startServed((storage) => catalogueRoutes({ storage, config: { publicUrl: undefined } }))
  const { id } = await shop.addPerson({ firstName: 'Sally', lastName: 'Seller' })
  await addProducts(
    { database: shop, storage: shop.storage, vault: openCodeVault('a secret of a test, 32 characters long') },
    [id],
    readProducts(),
    1,
  )
})
afterAll(() => shop.stop())

const read = async (path: string) => (await fetch(`${shop.url}/api/products${path}`)).json()

/** Returns the first three products, also those under "Did you mean". */
async function find(q: string): Promise<Product[]> {
  const asked = new URLSearchParams({ q })
  const found = (await read(`?${asked}`)) as Product[]
  if (found.length > 0) return found.slice(0, 3)
  return ((await read(`/suggestions?${asked}`)) as { products: Product[] }).products.slice(0, 3)
}

test('at least 95 % of the searches find their product among the first three', async () => {
  expect(searches.length).toBeGreaterThanOrEqual(80)
  const missed = []
  for (const [q, wanted] of searches) {
    const found = await find(q)
    const category = /^category: (.+)/.exec(wanted)?.[1]
    const isFound = category
      ? found.length === 3 && found.every(({ categoryId }) => categoryId === category)
      : found.some(({ title }) => title.startsWith(wanted))
    if (!isFound) missed.push([q, wanted, found.map(({ title }) => title)])
  }
  expect(missed.length / searches.length, JSON.stringify(missed)).toBeLessThanOrEqual(0.05)
})

test('letters inside a word find a product only if no word starts with them', async () => {
  for (const q of ['steam', 'sofware', 'egetabel']) expect(await read(`?q=${q}`), q).toEqual([])
  for (const [q, word] of [
    ['ookshop', /bookshop/i],
    ['egetabl', /vegetable/],
  ] as const) {
    const inside = (await read(`?q=${q}`)) as Product[]
    expect(inside, q).not.toEqual([])
    for (const { title, description } of inside) expect(`${title} ${description}`).toMatch(word)
  }
  const found = (await read('?q=eth')) as Product[]
  expect(found[0]!.title).toMatch(/^ETH/)
  expect(found.filter(({ title }) => title.includes('Cinema'))).toEqual([])
})

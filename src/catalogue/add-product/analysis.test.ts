import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { openFakeModel, says } from '../../../test/model.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { analyzeProduct } from './analysis.contract.ts'

// the model returns invalid JSON by default, so the shop's suggestion applies
const model = await openFakeModel()
afterAll(model.close)
const open = openShopForTests(model.settings)
let seller: Person

const goods: [title: string, description: string, category: string, price: string][] = [
  ['Rain on a Tin Roof', 'An hour of rain, recorded at night, for sleeping.', 'audio', '3.00'],
  ['Forest Morning', 'Birds and a brook, recorded at dawn, for sleeping or reading.', 'audio', '5.00'],
  ['Night Trains', 'A long recording of a sleeper train.', 'audio', '9.00'],
  ['Python for Gardeners', 'A course in small lessons: sensors, watering, weather.', 'courses', '40.00'],
  ['Watering by Numbers', 'A course about gardens and sensors.', 'courses', '20.00'],
  ['Thirty Soups', 'Recipes in grams.', 'ebooks', '12.00'],
]

beforeAll(async () => {
  seller = await open.shop.join()
  for (const [title, description, categoryId, price] of goods) {
    const { id } = await addProduct(open.shop, { title, price })
    await sql`UPDATE products SET description = ${description}, category_id = ${categoryId} WHERE id = ${id}::uuid`.execute(
      open.shop.database.db,
    )
  }
})
const analyze = (description: string) => seller.call(analyzeProduct, { description })

test('analyzes a text although a listed product has no description', async () => {
  const { id } = await addProduct(open.shop, { title: 'Untold' })
  const { db } = open.shop.database
  await sql`UPDATE products SET description = '' WHERE id = ${id}::uuid`.execute(db)
  expect(await analyze('Two hours of birdsong, recorded in a forest for sleeping.')).toMatchObject({
    category: 'Audio',
  })
  await sql`UPDATE products SET deleted_at = now(), is_active = false WHERE id = ${id}::uuid`.execute(db)
})

test.each<[string, string, object]>([
  [
    'words of descriptions',
    'Two hours of birdsong, recorded in a forest for sleeping.',
    { category: 'Audio', suggestedPrice: '4.00', lowestPrice: '3.00', highestPrice: '5.00', products: 2 },
  ],
  [
    'a word of a title',
    'soups',
    { category: 'E-Books', suggestedPrice: '12.00', lowestPrice: '12.00', highestPrice: '12.00', products: 1 },
  ],
  ['a word that is misspelt', 'All about pythn', { category: 'Online Courses', suggestedPrice: '40.00' }],
  [
    'an even number of prices',
    'A course: sensors in gardens, watering',
    { category: 'Online Courses', suggestedPrice: '30.00', lowestPrice: '20.00', highestPrice: '40.00', products: 2 },
  ],
])('finds the nearest products by %s', async (_, description, expected) => {
  expect(await analyze(description)).toMatchObject(expected)
})

test.each([
  'quantum chromodynamics',
  'the of and',
  '!!! ??? ---',
  'recipes',
  "Robert'); DROP TABLE products;--",
  '& | ! : * ( ) <-> \\',
])('finds no similar product for the description: %s', async (description) => {
  await expect(analyze(description)).rejects.toMatchObject({ status: 404, code: 'nothing_near' })
})

test('ignores products that are not listed', async () => {
  const { id } = await addProduct(open.shop, { title: 'Zeppelin Manual', price: '99.00' })
  expect(await analyze('zeppelin')).toMatchObject({ suggestedPrice: '99.00' })
  await sql`UPDATE products SET is_active = false WHERE id = ${id}::uuid`.execute(open.shop.database.db)
  await expect(analyze('zeppelin')).rejects.toMatchObject({ status: 404 })
})

test('accepts 1 to 10,000 characters from signed-in callers only', async () => {
  expect(await analyze('rain night sleeping '.repeat(480))).toMatchObject({ category: 'Audio' })
  await expect(analyze('x'.repeat(10_001))).rejects.toMatchObject({ status: 400 })
  await expect(analyze('   ')).rejects.toMatchObject({ status: 400 })
  await expect(open.shop.call(analyzeProduct, { description: 'rain' })).rejects.toMatchObject({ status: 401 })
})

test('uses a model’s price within the range of similar products and sends it no address, number or code', async () => {
  const description = 'A recording for sleeping. bob@shop.example, 4111 1111 1111 1111, DEMO-AB12-CD34-EF56.'
  const shown = { category: 'Audio', lowestPrice: '3.00', highestPrice: '5.00' }
  const priceOf = async (said: object) => {
    model.state.answer = says(JSON.stringify(said))
    return (await analyze(description)).suggestedPrice
  }
  const own = await analyze(description)
  expect(own).toMatchObject(shown)
  expect(await priceOf({ category: 'Audio', price: 4.5 })).toBe('4.50')
  for (const said of [
    { category: 'Audio', price: 0.01 },
    { category: 'Audio', price: 9 },
    { category: 'Audio', price: 'nine' },
    { category: 'Software', price: 4.5 },
    { category: 'Audio' },
  ])
    expect(await priceOf(said)).toBe(own.suggestedPrice)
  const sent = JSON.stringify(model.state.asked.slice(-1))
  expect(sent).toContain('A recording for sleeping.')
  expect(sent).toContain('Audio')
  expect(sent).not.toMatch(/bob@|4111|AB12/)
})

test('returns the shop’s suggestion when the model does not reply within 8 seconds', async () => {
  const own = await analyze('soups')
  const { timeout } = AbortSignal
  const waits = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 100))
  model.state.answer = () => undefined
  const asked = model.state.asked.length
  expect(await analyze('soups')).toEqual(own)
  expect(model.state.asked).toHaveLength(asked + 1)
  expect(waits.mock.calls).toContainEqual([8000])
})

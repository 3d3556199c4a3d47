import { expect, test } from 'vitest'
import { USD } from '../../localisation/currency.rules.ts'
import { listActive, outOf } from './active.rules.ts'
import { readFilters } from './shelf.rules.ts'

const read = (search: string) => readFilters(new URLSearchParams(search))

test.each([
  ['', []],
  ['q=salt&category=ebooks&sort=rating', []],
  ['price=0-5', ['Up to $4.99']],
  ['price=free&stars=4&stock=any', ['Free', '4 stars and up', 'Sold out too']],
])('the address ?%s has the active filters %j', (search, texts) => {
  expect(listActive(read(search), USD).map(({ text }) => text)).toEqual(texts)
})

test('each active filter is turned off by its change alone', () => {
  const filters = read('price=0-5&kind=file&stars=4&stock=any&q=salt')
  const active = listActive(filters, USD)
  expect(active.length).toBe(4)
  for (const { text, off } of active) {
    const left = listActive({ ...filters, ...off }, USD).map((one) => one.text)
    expect(left).toEqual(active.map((one) => one.text).filter((one) => one !== text))
  }
})

const categories = [
  { id: 'audio', productCount: 17 },
  { id: 'ebooks', productCount: 56 },
]
test.each([
  [27, 'price=0-5', ' of 73'],
  [8, 'price=0-5&category=audio', ' of 17'],
  [3, 'q=salt', ' of 73'],
  [73, '', ''],
  [73, 'stock=any', ''],
  [80, 'stock=any', ''],
])('%i hits of ?%s are shown “%s”', (total, search, text) => {
  expect(outOf(total, read(search), categories)).toBe(text)
})

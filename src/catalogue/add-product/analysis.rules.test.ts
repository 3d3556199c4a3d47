import { expect, test } from 'vitest'
import { chosenIn, fillEmpty, isSame, suggestionOf, takeAll } from './analysis.rules.ts'

const categories = [
  { id: 'ebooks', name: 'E-Books', productCount: 1, icon: '' },
  { id: 'courses', name: 'Online Courses', productCount: 2, icon: '' },
]
const analysis = {
  category: 'E-Books',
  suggestedPrice: '8.00',
  lowestPrice: '4.50',
  highestPrice: '12.00',
  products: 5,
  nearest: [{ id: '1', title: 'Salt', price: '8.00' }],
}

test.each([
  ['E-Books', 'ebooks'],
  ['e-books', 'ebooks'],
  ['course', 'courses'],
  ['Films', ''],
])('maps the suggested category %s to %j', (category, categoryId) => {
  expect(suggestionOf({ ...analysis, category }, categories).categoryId).toBe(categoryId)
})

test('shows the suggested values and their source', () => {
  expect(suggestionOf(analysis, categories)).toEqual({
    categoryId: 'ebooks',
    price: '8.00',
    text: 'E-Books, $8.00',
    basis: 'Based on 5 similar products in E-Books, mostly priced from $4.50 to $12.00.',
    nearest: analysis.nearest,
  })
  expect(suggestionOf({ ...analysis, highestPrice: '1450.00' }, categories).basis).toContain('to $1,450.00.')
  expect(suggestionOf({ ...analysis, products: 1 }, categories).basis).toBe(
    'Based on one similar product in E-Books, priced at $8.00.',
  )
  expect(suggestionOf({ ...analysis, category: 'Films' }, categories)).toMatchObject({
    text: '$8.00',
    basis: 'Based on 5 similar products, mostly priced from $4.50 to $12.00.',
  })
})

const suggested = { price: '8.00', categoryId: 'ebooks' }

test.each([
  ['an empty form is filled', ['', ''], ['8.00', 'ebooks']],
  ['a typed price stays', ['3', ''], ['3', 'ebooks']],
  ['a chosen category stays', ['', 'courses'], ['8.00', 'courses']],
  ['a form that is filled stays as it is', ['3', 'courses'], ['3', 'courses']],
] as const)('applies a suggestion: %s', (_, [price, categoryId], [newPrice, newCategory]) => {
  expect(fillEmpty({ price, categoryId }, suggested)).toEqual({ price: newPrice, categoryId: newCategory })
})

test('replaces entered values with the whole suggestion, but never a category with none', () => {
  expect(takeAll({ price: '3', categoryId: 'courses' }, suggested)).toEqual(suggested)
  expect(takeAll({ price: '3', categoryId: 'courses' }, { ...suggested, categoryId: '' })).toEqual({
    price: '8.00',
    categoryId: 'courses',
  })
})

test('compares prices by amount instead of spelling', () => {
  expect(isSame({ price: '8', categoryId: 'ebooks' }, suggested)).toBe(true)
  expect(isSame({ price: '', categoryId: 'ebooks' }, suggested)).toBe(false)
  expect(isSame({ price: 'eight', categoryId: 'ebooks' }, suggested)).toBe(false)
})

test('replaces the values of the first analysis by the second and leaves entered ones', () => {
  const earlier = { before: { price: '', categoryId: '' }, put: suggested }
  expect(chosenIn(suggested, null)).toEqual(suggested)
  expect(chosenIn(suggested, earlier)).toEqual({ price: '', categoryId: '' })
  expect(chosenIn({ price: '9', categoryId: 'ebooks' }, earlier)).toEqual({ price: '9', categoryId: '' })
})

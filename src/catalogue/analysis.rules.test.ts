import { expect, test } from 'vitest'
import { suggestionOf } from './analysis.rules.ts'

const categories = [
  { id: 'ebooks', name: 'E-Books', productCount: 1 },
  { id: 'courses', name: 'Online Courses', productCount: 2 },
]
const analysis = {
  category: 'E-Books',
  suggestedPrice: '8.00',
  lowestPrice: '4.50',
  highestPrice: '12.00',
  products: 5,
}

test.each([
  ['E-Books', 'ebooks'],
  ['e-books', 'ebooks'],
  ['course', 'courses'],
  ['Films', null],
])('a category called %s is %s', (category, categoryId) => {
  expect(suggestionOf({ ...analysis, category }, categories).categoryId).toBe(categoryId)
})

test('the change says where it comes from', () => {
  expect(suggestionOf(analysis, categories)).toEqual({
    categoryId: 'ebooks',
    price: '8.00',
    text: '5 products near it in E-Books cost $4.50 to $12.00; $8.00 is the middle.',
  })
  expect(suggestionOf({ ...analysis, products: 1 }, categories).text).toBe(
    'The product nearest to it in E-Books costs $8.00.',
  )
})

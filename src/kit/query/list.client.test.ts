import { expect, test } from 'vitest'
import { nextAfter } from './list.client.ts'

test('reads the cursor of the next page from the Link header', () => {
  expect(nextAfter('</api/products?limit=2&after=a%2Fb>; rel="next"')).toBe('a/b')
  expect(nextAfter('</api/products?limit=2>; rel="prev"')).toBe(null)
  expect(nextAfter(null)).toBe(null)
})

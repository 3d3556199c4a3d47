import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeReturnTo, withReturnTo } from './returnTo.rules.ts'

test.each([
  ['/', '/'],
  ['/cart', '/cart'],
  ['/categories?categoryId=audio&q=a%20b#top', '/categories?categoryId=audio&q=a%20b#top'],
  ['/product/1/../2', '/product/2'],
  ['/é', '/%C3%A9'],
])('accepts a path of the shop: %s', (asked, path) => {
  expect(safeReturnTo(asked)).toBe(path)
})

test.each([
  null,
  undefined,
  '',
  'cart',
  'https://evil.example/',
  'HTTPS://evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/a/../..//evil.example',
  '/%2e//evil.example',
  '/cart\r\nSet-Cookie: primo=x',
  '/cart\0',
  '/\u0085/evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '@evil.example',
  '/api/logout',
  '/x/../api/logout',
  `/${'a'.repeat(2000)}`,
])('replaces any other target with the home page: %j', (asked) => {
  expect(safeReturnTo(asked)).toBe('/')
})

test('redirects only within the shop for any target', () => {
  const bits = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2e',
    '%2f',
    '%5c',
    '\t',
    '\n',
    '@',
    ':',
    'evil.example',
    'a',
    '?',
    '#',
  )
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 12 }), (parts) => {
      const path = safeReturnTo(parts.join(''))
      expect(new URL(path, 'https://shop.example').origin).toBe('https://shop.example')
      expect(path).toMatch(/^\/(?![/\\])/)
    }),
    { numRuns: 2000 },
  )
})

test('carries the return path in the query, except for the home page', () => {
  expect(withReturnTo('/api/login/password', '/')).toBe('/api/login/password')
  expect(withReturnTo('/api/login/password', '/cart?a=1&b=2')).toBe(
    '/api/login/password?returnTo=%2Fcart%3Fa%3D1%26b%3D2',
  )
  expect(withReturnTo('/api/login/reset?token=t', '/cart')).toBe('/api/login/reset?token=t&returnTo=%2Fcart')
})

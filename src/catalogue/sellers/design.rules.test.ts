import { expect, test } from 'vitest'
import { isOrder, isPlain, linkProblem, SECTIONS } from './design.rules.ts'

test.each([
  'https://example.com',
  'https://www.example.co.uk/shop?from=primo#top',
  'https://example.com:8443/',
  'https://bücher.example/neu',
  '  https://example.com  ',
])('a seller’s page may link to %j', (url) => {
  expect(linkProblem(url)).toBeNull()
})

test.each([
  ['', 'whole address'],
  ['example.com', 'whole address'],
  ['//example.com', 'whole address'],
  ['http://example.com', 'https://'],
  ['javascript:alert(1)', 'https://'],
  ['data:text/html,hello', 'https://'],
  ['ftp://example.com', 'https://'],
  ['https://ada:secret@example.com', 'name or password'],
  ['https://paypal.com@example.com', 'name or password'],
  ['https://localhost/', 'public site'],
  ['https://127.0.0.1/', 'public site'],
  ['https://2130706433/', 'public site'],
  ['https://[::1]/', 'public site'],
  ['https://router.lan/', 'public site'],
  [`https://example.com/${'a'.repeat(300)}`, 'at most 300'],
])('a seller’s page may not link to %j', (url, reason) => {
  expect(linkProblem(url)).toContain(reason)
})

test('an order contains each section once', () => {
  expect(isOrder(SECTIONS)).toBe(true)
  expect(isOrder([...SECTIONS].toReversed())).toBe(true)
  for (const wrong of [[], SECTIONS.slice(1), [...SECTIONS, 'about'], ['about', 'about', 'products', 'reviews']])
    expect(isOrder(wrong)).toBe(false)
})

test('only a design without any choice is plain', () => {
  const plain = { headerColor: null, accentColor: null, sections: [...SECTIONS], featuredId: null, links: [] }
  expect(isPlain(plain)).toBe(true)
  for (const change of [
    { headerColor: '#112233' },
    { accentColor: '#112233' },
    { sections: [...SECTIONS].toReversed() },
    { featuredId: 'an id' },
    { links: [{ label: 'Site', url: 'https://example.com' }] },
  ])
    expect(isPlain({ ...plain, ...change })).toBe(false)
})

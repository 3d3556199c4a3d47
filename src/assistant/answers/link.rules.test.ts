import { expect, test } from 'vitest'
import { withoutLinks } from './link.rules.ts'

test.each([
  ...['https://evil.example/x', 'www.evil.example', 'evil.de', 'discord.gg/primo', 'primo.support', 'a.b.museum/x?y=1'],
  ...[
    '1.2.3.4/pay',
    'evil\u3002de',
    'evil (dot) de',
    'evil dot com',
    'mailto:bob',
    '163.com',
    'EVIL.DE',
    'bücher.example',
  ],
  ...['xn--bcher-kva.example', 'book.epub.evil.de', 'my-shop.site:8080/x', 'book.zip'],
])('%j is removed as a link', (link) => expect(withoutLinks(`Open ${link} now`)).toBe('Open … now'))

test.each([
  ...[
    'It costs $4.50. Then pay.',
    'e.g. this, i.e. that',
    'book.epub and style.css',
    'Node.js 24.1',
    'at 10.30 a.m.',
    '4.8 of 5',
  ],
  ...['and/or', 'Version 1.2.3', 'the dot of an i', 'the U.S. market'],
])('%j contains no link', (text) => expect(withoutLinks(text)).toBe(text))

test('processes a long text of a seller without delay', () => {
  const started = performance.now()
  for (const part of ['a', 'a-', 'a.', '1.', 'ab1.', 'a [', '. ', 'a+']) withoutLinks(part.repeat(20_000))
  expect(performance.now() - started).toBeLessThan(1500)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainOf, readMarkdown } from './markdown.rules.ts'

test('parses headings, lists, bold, italic and links', () => {
  const text = [
    'Four sleepers, **recorded** from the *window* seat.',
    'Two borders.',
    '',
    '## On the recordings',
    '- **The slow one**, 2 h',
    '- The one with [a bell](https://bells.example/2)',
    '1. First',
    '2. Second',
    'No voices.',
  ].join('\n')
  expect(readMarkdown(text)).toEqual([
    {
      kind: 'paragraph',
      words: [
        { text: 'Four sleepers, ' },
        { text: 'recorded', look: 'strong' },
        { text: ' from the ' },
        { text: 'window', look: 'em' },
        { text: ' seat.' },
        { text: '\n' },
        { text: 'Two borders.' },
      ],
    },
    { kind: 'heading', words: [{ text: 'On the recordings' }] },
    {
      kind: 'list',
      isOrdered: false,
      items: [
        [{ text: 'The slow one', look: 'strong' }, { text: ', 2 h' }],
        [{ text: 'The one with ' }, { text: 'a bell', href: 'https://bells.example/2' }],
      ],
    },
    { kind: 'list', isOrdered: true, items: [[{ text: 'First' }], [{ text: 'Second' }]] },
    { kind: 'paragraph', words: [{ text: 'No voices.' }] },
  ])
  expect(plainOf(text)).toBe(
    'Four sleepers, recorded from the window seat.\nTwo borders.\nOn the recordings\nThe slow one, 2 h\nThe one with a bell\nFirst\nSecond\nNo voices.',
  )
})

test.each([
  '2 * 3 * 4 is 24, and 5*6*7 is 210',
  '#1 of its kind',
  '[here](javascript:alert(1))',
  '[here](//evil.example)',
  '[here](data:text/html,x)',
  '<img src=x onerror=alert(1)>',
  '** not bold **',
  '-5 degrees',
])('leaves %j as typed', (text) => {
  expect(readMarkdown(text)).toEqual([{ kind: 'paragraph', words: [{ text }] }])
})

test('creates only links to the web for any text', () => {
  const part = fc.constantFrom('[', ']', '(', ')', '*', '**', '# ', '- ', '\n', 'http://a', 'javascript:', '"', '<a')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const links = readMarkdown(parts.join(''))
        .flatMap((block) => (block.kind === 'list' ? block.items.flat() : block.words))
        .flatMap(({ href }) => href ?? [])
      for (const href of links) expect(new URL(href).protocol).toMatch(/^https?:$/)
    }),
  )
})

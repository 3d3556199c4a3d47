import fc from 'fast-check'
import { expect, test } from 'vitest'
import { piecesOf } from './highlight.rules.ts'

const marked = (text: string, searched: string) =>
  piecesOf(text, searched)
    .map(({ text: piece, isMatch }) => (isMatch ? `[${piece}]` : piece))
    .join('')

test.each([
  ['Night Trains', 'night', '[Night] Trains'],
  ['Night Trains', 'night tr', '[Night Tr]ains'],
  ['Something', 'eth', 'Something'],
  ['Bread by Weight, bread by hand', 'bread', '[Bread] by Weight, [bread] by hand'],
  ['A card for a gift', 'gift card', 'A [card] for a [gift]'],
  ['Discard the cards', 'card gift', 'Discard the [card]s'],
  ['C++ (and more)', '(and', 'C++ [(and] more)'],
  ['Café Card', 'CAFÉ', '[Café] Card'],
  ['Plain', '', 'Plain'],
  ['Plain', '?!', 'Plain'],
  ['', 'x', ''],
])('in %j, the search %j marks %j', (text, searched, expected) => {
  expect(marked(text, searched)).toBe(expected)
})

test('returns every letter of the text for any search', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, searched) => {
      expect(
        piecesOf(text, searched)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text)
    }),
  )
})

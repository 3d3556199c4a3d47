import { expect, test } from 'vitest'
import { describeCopies } from './copies.rules.ts'

test.each<[string, number, Parameters<typeof describeCopies>[1], string?]>([
  ['One copy is yours. The other is a gift, with a link to give away.', 2, {}],
  ['You have it already: this copy is a gift, with a link to give away.', 1, { owned: ['Glass Rain'] }],
  [
    'You have “Glass Rain” already: each copy of it is a gift, with a link to give away.',
    2,
    { owned: ['Glass Rain'], parts: ['Glass Rain', 'Salt and Time'] },
  ],
  [
    'You have “Glass Rain” and “Salt and Time” already: these copies are gifts, each with a link to give away.',
    1,
    { owned: ['Glass Rain', 'Salt and Time'], parts: ['Glass Rain', 'Salt and Time', 'Night Trains'] },
  ],
  ['You get it in “Quiet Evenings”: this copy is a gift, with a link to give away.', 1, {}, 'Quiet Evenings'],
])('describes the copies as %j', (text, quantity, product, bundle) => {
  expect(describeCopies(quantity, product, bundle)).toBe(text)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toSepa } from './sepa.rules.ts'

test.each([
  ['Zoë Ünal', 'Zoe Unal'],
  ['Jürgen Groß', 'Jurgen Gross'],
  ['Łukasz Żółć', 'Lukasz Zolc'],
  ['Søren Ærø', 'Soren AEro'],
  ['Nguyễn Văn Ðức', 'Nguyen Van Duc'],
  ['Þóra O’Brien', "THora O'Brien"],
  ['Primo & Sons', 'Primo + Sons'],
  ['=HYPERLINK("x")', "HYPERLINK('x')"],
  ['//Ada//Okafor/', 'Ada/Okafor'],
  ['Ada <b>\u0007', 'Ada b'],
  ['Ａｄａ', 'Ada'],
  ['Ада', null],
  ['田中', null],
  ['Ada محمد', null],
  ['"—"', null],
  ['', null],
])('converts %j to %j', (text, expected) => {
  expect(toSepa(text)).toBe(expected)
})

test('returns only allowed characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => /^[A-Za-z0-9/?:().,'+ -]*$/.test(toSepa(text) ?? '')),
    { numRuns: 500 },
  )
})

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setTitle, widthOf } from './cover.lettering.ts'
import type { Shape } from './cover.motifs.ts'
import { inks } from './cover.pages.server.ts'
import { drawCover } from './cover.rules.ts'

const categories = ['gift-cards', 'crypto', 'prepaid', 'ebooks', 'courses', 'software', 'audio', 'something-new']
const id = '3f0c1f5e-8a94-4c0e-9d6a-5b0f8a1b2c3d'

const flat = (shapes: Shape[]): Shape[] =>
  shapes.flatMap((shape) => [shape, ...(Array.isArray(shape.children) ? flat(shape.children) : [])])
const textsOf = (shapes: Shape[]) =>
  flat(shapes).flatMap(({ tag, children }) => (tag === 'text' && typeof children === 'string' ? [children] : []))

// A changed hash here means that all covers of the store change.
test.each([
  ['gift-cards', 'ce966bde694f'],
  ['crypto', 'eb06579d0ac3'],
  ['prepaid', '5bd2ae1517e3'],
  ['ebooks', 'f156f23d0a24'],
  ['courses', '8d81ecf16cea'],
  ['software', '9677959fe93d'],
  ['audio', '0e920f14931f'],
  ['something-new', '7536aef00892'],
])('draws the same cover for a product in %s', (categoryId, print) => {
  const product = { id, categoryId, title: 'Salt and Time, $25 in USDC' }
  expect(drawCover(product)).toEqual(drawCover({ ...product }))
  expect(
    createHash('sha256')
      .update(JSON.stringify(drawCover(product)))
      .digest('hex')
      .slice(0, 12),
  ).toBe(print)
})

test('draws different covers for products of one category', () => {
  for (const categoryId of categories) {
    const drawn = Array.from({ length: 200 }, (_, i) =>
      JSON.stringify(drawCover({ id: `p${i}`, categoryId, title: 'Same' })),
    )
    expect(new Set(drawn).size).toBeGreaterThan(195)
  }
})

test('draws a cover for an unknown category with any name', () => {
  for (const categoryId of ['', 'Prepaid Visa Cards', 'constructor', '__proto__', 'toString', '🎁'])
    expect(flat(drawCover({ id, categoryId, title: 'X' }).shapes).length).toBeGreaterThan(4)
})

test.each([
  ['gift-cards', 'Fernhill Books Gift Card, $25', '$25'],
  ['gift-cards', 'Card of $12.50', '$12.50'],
  ['gift-cards', 'Card of $40.00', '$40'],
  ['prepaid', '$500 Prepaid Voucher', '$500'],
  ['crypto', 'Demo Voucher, 50 USDC', 'USDC'],
])('prints the value of a cover in %s with the title "%s"', (categoryId, title, value) => {
  expect(textsOf(drawCover({ id, categoryId, title }).shapes)).toEqual([value])
})

test.each(['Gift Card', 'Card of $12345', 'Card of $1,000', 'ETHICS of METHODS'])(
  'finds no value to print in "%s"',
  (title) => {
    for (const categoryId of ['gift-cards', 'prepaid', 'crypto'])
      expect(textsOf(drawCover({ id, categoryId, title }).shapes)).toEqual([])
  },
)

test.each([
  ['Salt and Time', ['Salt and', 'Time']],
  ['The Small-Batch Baker', ['The', 'Small-Batch', 'Baker']],
  ['Letters by Hand: a workbook', ['Letters by', 'Hand']],
  [': a title that begins with its colon', [': a title', 'that begins', 'with its', 'colon']],
  ['Internationalisation', ['Internationalisation']],
  ['日本語の本のタイトルはここに', ['日本語の本', 'のタイトル', 'はここに']],
  ['', []],
])('breaks the book title "%s" between whole words', (title, lines) => {
  expect(setTitle(title)).toEqual(lines)
})

test('fits a title of 500 characters on its book', () => {
  const titles = ['x'.repeat(500), 'word '.repeat(100), '👨‍👩‍👧‍👦'.repeat(45), 'W W '.repeat(125)]
  for (const title of titles) {
    expect(setTitle(title).length).toBeLessThanOrEqual(4)
    expect(setTitle(title).join('')).toMatch(/…$/)
  }
  for (const title of [
    ...titles,
    'W',
    'MMMMMMMMMMM',
    'Internationalisation',
    'A Field Guide to Small Birds of the Hedge',
  ])
    for (const { tag, x, y, fontSize, children } of flat(drawCover({ id, categoryId: 'ebooks', title }).shapes)) {
      if (tag !== 'text') continue
      // A small letter of DejaVu Sans Bold, the widest common system font, is two thirds of the font size wide.
      expect(x! + (widthOf(String(children)) * fontSize! * 2) / 3, title).toBeLessThan(98 + 134)
      expect(y!, title).toBeLessThan(101 - fontSize! * 0.25)
    }
})

test('never splits an emoji made of several characters', () => {
  expect(setTitle('👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦').join('').split('👨‍👩‍👧‍👦')).toHaveLength(4)
  for (const line of setTitle('👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦')) expect(line).toMatch(/^(👨‍👩‍👧‍👦)+$/)
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', maxLength: 500 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 500 }).map((units) => String.fromCharCode(...units)),
)

test('draws a cover with finite numbers for any product name', () => {
  fc.assert(
    fc.property(anyText, fc.oneof(fc.constantFrom(...categories), anyText), anyText, (id, categoryId, title) => {
      const drawing = drawCover({ id, categoryId, title })
      expect(drawing.hue).toSatisfy(Number.isInteger)
      for (const shape of flat(drawing.shapes))
        for (const value of Object.values({ ...shape, children: undefined }))
          if (typeof value === 'number') expect(value).toSatisfy(Number.isFinite)
          else expect(value ?? '').not.toMatch(/NaN|Infinity|undefined|null|e-/)
    }),
    { numRuns: 400 },
  )
})

test('draws covers inside their ground and small enough for a page of a hundred', () => {
  for (const categoryId of categories)
    for (let i = 0; i < 50; i++) {
      const drawing = drawCover({ id: String(i), categoryId, title: 'The Patient Kitchen Gardener $50' })
      expect(flat(drawing.shapes).length).toBeLessThanOrEqual(20)
      expect(JSON.stringify(drawing).length).toBeLessThan(6500)
    }
})

test('uses the style sheet’s colours in link previews', () => {
  const css = readFileSync(new URL('cover.css', import.meta.url), 'utf8').replace(/\s+/g, ' ')
  const figure = (text: string | undefined) => Number(text ?? 0)
  const step =
    /--k\d: oklch\((?:calc\()?([\d.]+)(?: - var\(--d\)(?: \* [\d.]+)?\))? calc\(([\d.]+) \* var\(--c\)\) (?:calc\()?var\(--h\)(?: ([+-] \d+)\))?\)/g
  for (const [ink, steps] of Object.entries(inks)) {
    const rule = css.split(`.cover--${ink} {`)[1]!.split('}')[0]!
    const read = [...rule.matchAll(step)]
    expect(read.map(([, l, c, turn]) => [figure(l), figure(c), figure(turn?.replace(' ', ''))])).toEqual(steps)
  }
})

import { expect, test } from 'vitest'
import { isolateRtl } from './isolate.rules.ts'

const shown = (text: string) => isolateRtl(text).replaceAll('\u2068', '[').replaceAll('\u2069', ']')

test.each([
  ['قهوة: $625.00', '[قهوة]: $625.00'],
  ['3 × قهوة سوداء: $1.00', '3 × [قهوة سوداء]: $1.00'],
  ['You made a sale: קפה and 2 more', 'You made a sale: [קפה] and 2 more'],
  ['“قهوة 2” and “شاي (3)” are ready', '“[قهوة 2]” and “[شاي (3)]” are ready'],
  ['كتاب Coffee قهوة, $5', '[كتاب Coffee قهوة], $5'],
  ['“قهوة and no end: $5', '“[قهوة] and no end: $5'],
  ['“Tea” and قهوة: $5', '“Tea” and [قهوة]: $5'],
  ['قهوة: $1.00\nشاي: $2.00', '[قهوة]: $1.00\n[شاي]: $2.00'],
  ['2 × Night Train: $5.00', '2 × Night Train: $5.00'],
  ['مرحبا، كيف الحال؟', 'مرحبا، كيف الحال؟'],
])('isolates the right-to-left parts of %j', (text, isolated) => expect(shown(text)).toBe(isolated))

test('isolates a part only once', () => {
  const once = isolateRtl('3 × قهوة: $1.00')
  expect(isolateRtl(once)).toBe(once)
  const quoted = isolateRtl('“قهوة” is ready')
  expect(isolateRtl(quoted)).toBe(quoted)
})

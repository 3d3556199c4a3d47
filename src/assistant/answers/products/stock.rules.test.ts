import { expect, test } from 'vitest'
import { stockOf } from './stock.rules.ts'

const file = {
  ...{ title: 'Hours', cents: 500, suggested: null, delivery: 'file' },
  ...{ hasVariants: false, isSupplied: false, left: null },
}

test.each([
  ['a file', {}, 'Hours is always in stock: it is a download, ready at once after the payment.'],
  ['a free file', { cents: 0 }, 'Hours is always in stock: it is a download, ready at once.'],
  ['codes', { delivery: 'code', left: 3 }, 'Hours is in stock, 3 left.'],
  ['many codes', { delivery: 'code', left: 11 }, 'Hours is in stock.'],
  [
    'codes of a supplier',
    { delivery: 'code', isSupplied: true },
    /^Hours is on sale. Its supplier makes the code after/,
  ],
  [
    'a licence',
    { delivery: 'license' },
    'Hours is always in stock: your order shows its key at once after the payment.',
  ],
  ['a course', { delivery: 'course' }, /^Hours is always in stock: it is a course/],
  ['a bundle', { delivery: 'bundle' }, 'Hours is on sale, and so is each of its parts.'],
  [
    'variants of codes',
    { delivery: 'code', hasVariants: true },
    /variants. Its page shows which of them are in stock.$/,
  ],
  ['variants of files', { hasVariants: true }, /variants. Its page shows which of them are in stock.$/],
])('describes the stock of %s', (_, given, said) => expect(stockOf({ ...file, ...given })).toMatch(said))

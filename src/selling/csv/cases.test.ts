import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readRecords } from './readFile.server.ts'
import { refuseHeader } from './formats.rules.ts'
import { openRows } from './rows.rules.ts'

// Files as spreadsheets and other shops write them, with the expected values.

const FOLDER = join(import.meta.dirname, '../../../test/cases')
const CATEGORIES = [
  { id: 'ebooks', name: 'E-Books' },
  { id: 'audio', name: 'Audio' },
]

/** Describes a row as 'Title 9.99' or '2: problem'. For a refused file returns the reason. */
async function read(name: string): Promise<string | string[]> {
  async function* bytes() {
    yield readFileSync(join(FOLDER, name))
  }
  let rows: ReturnType<typeof openRows> = null
  const found: string[] = []
  let number = 0
  try {
    for await (const record of readRecords(bytes())) {
      number++
      if (record.cells.every((cell) => cell.trim() === '')) continue
      const row = rows?.read(record, number)
      if (row)
        found.push(
          row.problem === null ? `${row.title} ${(row.priceCents! / 100).toFixed(2)}` : `${number}: ${row.problem}`,
        )
      if (rows) continue
      const refusal = refuseHeader(record.cells)
      if (refusal !== null) return refusal
      rows = openRows(record.cells, { categories: CATEGORIES, fallback: null })
    }
  } catch (error) {
    return (error as Error).message
  }
  return [...found, ...(rows?.notes() ?? []).map(({ number: row, note }) => `${row}: ${note}`)]
}

const NOT_TEXT = 'The file is not text in UTF-8. Save it as “CSV UTF-8” and try again.'
const NEGATIVE = 'price: Price must be a positive number'
const inCurrency = (currency: string) => `price: The price is in ${currency}. Write it in US dollars`

const RIGHT: Record<string, string | string[]> = {
  'c01-german-excel.csv': ['Kochbuch 9.99', 'Großes Paket 1234.50'],
  'c02-utf16.csv': NOT_TEXT,
  'c03-windows-1252.csv': NOT_TEXT,
  'c04-sep-line.csv': ['Kochbuch 9.99'],
  'c05-blank-top.csv': ['Cookbook 9.99'],
  'c06-shopify-variants.csv': [
    'Sample kit 10.00',
    'Old kit 5.00',
    '2: Only “Small” at $10.00 is imported. Left out: “Large” at $30.00. Add variants on the product page.',
  ],
  'c07-odd-headers.csv': ['Book A 9.99'],
  'c08-prices.csv': [
    ...['P0 plain 9.99', 'P1 dollar 9.99', 'P2 us 9.99', 'P3 thousand 1234.50'],
    ...[`6: ${inCurrency('EUR')}`, 'P5 comma 9.99', `8: ${inCurrency('¥')}`, 'P7 arabic 9.99', 'P8 wide 9.99'],
    ...['P9 nbsp 9.99', '12: price: Write the price in digits with a point, like 12.50'],
    ...['13: price: Price can have up to two decimals', `14: ${NEGATIVE}`],
    ...['P13 zero 0.00', 'P14 apos 1234.50', 'P15 space 1234.50'],
  ],
  'c09-woo.csv': ['Woo Book 12.50'],
  'c10-cr-only.csv': ['Cookbook 9.99', 'Next 5.00'],
  'c11-trailing.csv': ['Book A 9.99', 'Book B 9.99'],
  'c12-smart.csv': [
    '2: The row has more cells than the header. Put cells with a comma in quotation marks',
    '3: A quotation mark within a cell must be written twice, and the cell be put in quotation marks.',
  ],
  'c14-edd.csv': ['2: Category: Category is missing'],
  'c15-gumroad-like.csv': [
    '2: Price: The price is in JPY. Write it in US dollars. Category: Category is missing',
    '3: Category: Category is missing',
    '4: Category: Category is missing',
    '5: Price: The price is in EUR. Write it in US dollars. Category: Category is missing',
  ],
}

test('reads every file with the expected values', () => {
  // a separate test covers this file
  const others = ['c13-unicode.csv']
  expect(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith('.csv'))
      .toSorted(),
  ).toEqual([...Object.keys(RIGHT), ...others].toSorted())
})

test.each(Object.entries(RIGHT))('reads %s', async (name, right) => {
  expect(await read(name)).toEqual(right)
})

test('reads titles of c13-unicode.csv that look different as different products', async () => {
  const rows = (await read('c13-unicode.csv')) as string[]
  for (const title of ['Café', 'istanbul', '👩‍💻 kit', '👩💻 kit', 'مرحبا'])
    expect(
      rows.some((row) => row.normalize('NFC').startsWith(title)),
      title,
    ).toBe(true)
})

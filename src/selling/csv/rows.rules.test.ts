// Over 300 lines, because this is a table of files with the expected rows.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NewProduct } from '../../catalogue/add-product/newProduct.contract.ts'
import { guardCell, unguardCell, writeRow } from '../../kit/csv/csv.rules.ts'
import { categoryOf } from './categories.rules.ts'
import { MAX_BYTES } from './csv.contract.ts'
import { refuseHeader } from './formats.rules.ts'
import { readHtml } from './html.rules.ts'
import { readRecords } from './readFile.server.ts'
import { openRows, type Row } from './rows.rules.ts'

const CATEGORIES = Object.entries({
  'gift-cards': 'Gift Cards',
  ebooks: 'E-Books',
  courses: 'Online Courses',
  software: 'Software',
  audio: 'Audio',
}).map(([id, name]) => ({ id, name }))

/** Reads the rows of a file that arrives in chunks of `size` bytes. */
async function rowsOf(file: string | Buffer, { fallback = null as string | null, size = 7 } = {}) {
  const bytes = Buffer.from(file as string)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  let rows: ReturnType<typeof openRows> = null
  const found: Row[] = []
  let number = 0
  for await (const record of readRecords(pieces())) {
    number++
    if (record.cells.every((cell) => cell.trim() === '')) continue
    if (!rows) rows = openRows(record.cells, { categories: CATEGORIES, fallback })
    else {
      const row = rows.read(record, number)
      if (row) found.push(row)
    }
  }
  return {
    rows: found,
    format: rows?.layout.format ?? null,
    left: rows?.columnsLeft() ?? [],
    notes: rows?.notes() ?? [],
  }
}

const sample = (name: string) => readFileSync(join(import.meta.dirname, 'samples', name), 'utf8')
const briefly = ({ number, key, title, description, priceCents, categoryId, problem }: Row) =>
  problem ? [number, key, problem] : [number, key, title, description, priceCents, categoryId]

test('reads a Shopify export: one product for its variants, HTML as Markdown, type or tags as category', async () => {
  const { rows, format, left, notes } = await rowsOf(sample('shopify.csv'))
  expect(format).toBe('shopify')
  const trains = 'Field recordings from **four** sleepers.\n\n- MP3\n- FLAC & WAV'
  expect(rows.map(briefly)).toEqual([
    [2, 'shopify:night-trains', 'Night Trains', trains, 850, 'audio'],
    [4, 'shopify:bread', 'Bread, by "Weight"', 'Plain text', 1450, 'ebooks'],
    [5, 'shopify:free', 'Free Sample', '', 0, 'ebooks'],
    [6, 'shopify:mug', 'Type: “Mugs” is none of our categories'],
  ])
  expect(notes).toEqual([
    {
      number: 2,
      note: 'Only “MP3” at $8.50 is imported. Left out: “FLAC” at $12.00. Add variants on the product page.',
    },
  ])
  expect(left).toEqual([
    ...['Vendor', 'Published', 'Option1 Name', 'Option1 Value', 'Variant SKU', 'Image Src', 'Status'],
  ])
})

const NOT_DOUBLED = 'A quotation mark within a cell must be written twice, and the cell be put in quotation marks.'
const NOT_CLOSED = 'A quotation mark is not closed.'

test('rejects rows with stray quotation marks and reads the rows after them', async () => {
  const file = [
    'title,price,category',
    ...['O"Brien,1,audio', 'One,1,audio', '"a"b,1,audio', '"Open,2,audio', 'Two,"2",audio', '"A, ""b""",3,audio'],
    ...['"Lines\nof one",4,audio', '"Last,1,audio'],
  ].join('\n')
  for (const size of [1, 7, 4096])
    expect((await rowsOf(file, { size })).rows.map(({ number, title, problem }) => [number, problem ?? title])).toEqual(
      [
        [2, NOT_DOUBLED],
        [3, 'One'],
        [4, NOT_DOUBLED],
        [5, NOT_CLOSED],
        [6, 'Two'],
        [7, 'A, "b"'],
        [8, 'title: Use one line, without control characters.'],
        [9, NOT_CLOSED],
      ],
    )
  // a file with only such rows is refused
  await expect(rowsOf(`title,price\n${'"x,1\n'.repeat(500)}`, { size: 9000 })).rejects.toThrow(/quotation mark/)
})

test('reads the newer columns of Shopify, semicolons, CRLF and a decimal comma', async () => {
  const { rows, format } = await rowsOf(sample('shopify-new.csv'))
  expect(format).toBe('shopify')
  expect(rows.map(briefly)).toEqual([[2, 'shopify:knots', 'Knots', 'Sixty knots.', 1990, 'courses']])
})

test('reads Gumroad products, and refuses prices in another currency', async () => {
  const { rows, format, left } = await rowsOf(sample('gumroad.csv'))
  expect(format).toBe('gumroad')
  expect(rows.map(briefly)).toEqual([
    [2, 'gumroad:tape-hiss', 'Tape Hiss', 'An *effect* for [tape](https://tape.example/x).', 2900, 'software'],
    [3, 'gumroad:b2==', 'Lo-Fi Loops', 'Forty loops.', 1900, 'audio'],
    [4, 'gumroad:euro', 'formatted_price: The price is in EUR. Write it in US dollars'],
  ])
  expect(left).toEqual(['published', 'sales_count'])
})

test('reads a plain table with a byte order mark and uses the chosen category for rows without one', async () => {
  const file = '\ufeffTITLE,Price,Colour\n"Two\nlines",1.00,red\nOne,"1,250.00",\n\n,,\nOne,3,\nLong,1,,extra\n'
  const { rows, left } = await rowsOf(file, { fallback: 'audio' })
  expect(rows.map(briefly)).toEqual([
    [2, 'title:two\nlines', 'TITLE: Use one line, without control characters.'],
    [3, 'title:one', 'One', '', 125000, 'audio'],
    [6, 'title:one', 'TITLE: Row 3 has the same title. Give each an id in a column "id"'],
    [7, 'title:long', 'The row has more cells than the header. Put cells with a comma in quotation marks'],
  ])
  expect(left).toEqual(['Colour'])
  expect((await rowsOf('title,price\nOne,1')).rows.map(briefly)).toEqual([
    [2, 'title:one', 'Category: Category is missing'],
  ])
})

test('reads free products and prices that buyers choose from our own export', async () => {
  const file =
    'title,price,category,suggested price\nFree,0,audio,\nWalks,3,audio,5\nWrong,3,audio,2.99\nOpen,0,audio,0\n'
  const { rows } = await rowsOf(file)
  expect(rows.map(({ priceCents, suggestedCents, problem }) => problem ?? [priceCents, suggestedCents])).toEqual([
    [0, null],
    [300, 500],
    'suggested price: Suggest at least the minimum',
    expect.stringMatching(/^suggested price: /),
  ])
})

test('reports row, column and length of a cell that is too long', async () => {
  const file = `id,title,description,price,category\nx,${'t'.repeat(201)},${'d'.repeat(10_001)},1234567,ebooks\n${'i'.repeat(201)},a,,1,E-Books\ny,a,${'d'.repeat(60_001)},1,ebooks\n`
  const { rows } = await rowsOf(file, { size: 4096 })
  expect(rows.map(({ number, problem }) => [number, problem])).toEqual([
    [
      2,
      'title: At most 200 characters, it has 201. description: At most 10,000 characters, it has 10,001. price: Price can be at most $999,999.99',
    ],
    [3, 'id: At most 200 characters'],
    [4, 'description: At most 60,000 characters, it has 60,001'],
  ])
})

test.each([
  ['a record without an end', `title,price\n"${'x'.repeat(250_000)}`, /^Row 2 is longer than 200,000 characters/],
  ['another encoding', Buffer.from('title,price\ncaf\xe9,1', 'latin1'), /not text in UTF-8/],
  ['UTF-16', Buffer.from('\ufefftitle,price\na,1', 'utf16le'), /not text in UTF-8/],
  ['NUL', 'title,price\na\0,1', /not text in UTF-8/],
])('refuses a file with %s', async (_, file, reason) => {
  await expect(rowsOf(file, { size: 60_000 })).rejects.toThrow(reason)
})

test('stops reading an endless file at the size limit', async () => {
  const line = Buffer.from(`${'a'.repeat(10_000)},1\n`)
  let sent = 0
  async function* endless() {
    yield Buffer.from('title,price\n')
    for (;;) {
      yield line
      sent += line.length
    }
  }
  const drainAll = async () => {
    for await (const { cells } of readRecords(endless())) expect(cells).toHaveLength(2)
  }
  await expect(drainAll()).rejects.toMatchObject({ status: 413, code: 'too_large' })
  expect(sent).toBeLessThan(MAX_BYTES + 2 * line.length)
})

test('rejects tables that do not list products', async () => {
  for (const header of ['Name,Email', 'title', 'handle,title', '', 'Purchase ID,Item Name,Item Price ($)'])
    expect(openRows(header.split(','), { categories: CATEGORIES, fallback: null }), header).toBe(null)
  // exports of Gumroad sales also have a product column
  const sales = ['Purchase ID', 'Item Name', 'Buyer Name', 'Purchase Email', 'Product Name', 'Product URL']
  expect(openRows(sales, { categories: CATEGORIES, fallback: null })).toBe(null)
  expect(refuseHeader(sales)).toMatch(/^This is a list of sales/)
  expect(refuseHeader(['Name', 'Email'])).toMatch(/^The first row must name the columns/)
})

test('an import reads each product as an export wrote it', async () => {
  const word = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 20 }))
  const text = fc
    .array(
      fc.oneof(word, fc.constantFrom('=1+1', '-2', "'", "'=x", '"', '""', ',', ';', '\t', '\r\n', '\n', '@a', '+1')),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join(''))
  const product = fc
    .record({
      title: text,
      description: text,
      price: fc.constantFrom('0.01', '5.00', '999999.99'),
      categoryId: fc.constantFrom('ebooks', 'audio'),
    })
    .map((given) => NewProduct.safeParse(given))
    .filter(({ success }) => success)
    .map(({ data }) => data!)
  const products = fc.array(fc.tuple(fc.uuid(), product), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(products, fc.integer({ min: 1, max: 60 }), async (given, size) => {
      const unique = [...new Map(given)]
      const nameOf = (id: string) => CATEGORIES.find((one) => one.id === id)!.name
      const lines = unique.map(([id, one]) =>
        writeRow([id, one.title, one.description!, one.price, nameOf(one.categoryId), 'listed']),
      )
      const file = `\ufeff${writeRow(['id', 'title', 'description', 'price', 'category', 'status'])}${lines.join('')}`
      const { rows } = await rowsOf(file, { size })
      expect(
        rows.map((row) => [row.key, row.title, row.description, row.priceCents, row.categoryId, row.problem]),
      ).toEqual(
        unique.map(([id, one]) => [
          ...[`primo:${id}`, one.title, one.description, Math.round(Number(one.price) * 100), one.categoryId, null],
        ]),
      )
    }),
    { numRuns: 150 },
  )
})

test('no cell of an export starts like a formula, and an import restores the original text', () => {
  fc.assert(
    fc.property(
      fc.tuple(
        fc.constantFrom('', "'", "''"),
        fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', 'a'),
        fc.string(),
      ),
      (parts) => {
        const text = parts.join('')
        expect(guardCell(text)).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
        expect(unguardCell(guardCell(text))).toBe(text)
      },
    ),
  )
  expect(writeRow(['=HYPERLINK("x")', '-1', '@a', '+b', 'c'])).toBe(`"'=HYPERLINK(""x"")",'-1,'@a,'+b,c\r\n`)
})

test.each([
  ['<p>a</p><p>b<br>c</p>', 'a\n\nb\nc'],
  ['<h1>Big</h1>text', '## Big\n\ntext'],
  ['<ol><li>one</li><li>two<ul><li>deep</li></ul></li></ol>after', '1. one\n2. two\n- deep\n\nafter'],
  ['<b> wide </b>and<i></i> <strong>bold <em>both</em></strong>', '**wide** and bold *both*'],
  [
    '<a href="javascript:alert(1)">no</a> <a href=\'https://x.example/a(b)\'>no</a> <a href="https://x.example">yes</a>',
    'no no [yes](https://x.example)',
  ],
  ['<script>alert("<b>")</script>a<!-- b --><style>c</style>d<img src="x" onerror="e">', 'ad'],
  ['<script>never ends', ''],
  ['2 &lt; 3 &amp;&amp; &#8364;5 &#x2014; caf&eacute; &unknown; &#0;', '2 < 3 && €5 — café &unknown;'],
  ['a < b and c > d', 'a < b and c > d'],
  ['<div>\n  <p>in\n  lines</p>\n</div>', 'in lines'],
])('converts the HTML %j to Markdown', (html, markdown) => {
  expect(readHtml(html)).toBe(markdown)
})

test('converts texts of any length and marks of up to 3,000 characters', () => {
  const word = 'word '.repeat(500)
  const long = `${word}<b>bold</b> `.repeat(6)
  expect(readHtml(long)).toBe(`${word}**bold** `.repeat(6).trim())
  expect(readHtml(`<b>${'<p>a</p>'.repeat(9_000)}</b>`)).toBe('a\n\n'.repeat(9_000).trim())
  expect(readHtml('<b>'.repeat(20_000) + 'a' + '</b>'.repeat(20_000))).toContain('a')
})

test('reads a price with a plus or a currency, and refuses a long cell', async () => {
  const prices = [
    '10+',
    '10 +',
    'USD 10',
    'usd10',
    '10 USD',
    '10 usd +',
    `10${' '.repeat(50)}x`,
    `${'\t'.repeat(99)}10`,
  ]
  const { rows } = await rowsOf(
    `title,price,category\r\n${prices.map((one, at) => `${at},${one},ebooks`).join('\r\n')}`,
  )
  expect(rows.map(({ priceCents }) => priceCents)).toEqual([...Array<number>(6).fill(1000), null, 1000])
})

test('removes all tags of hostile HTML', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          '<b>',
          '</b>',
          '<i>',
          '</i>',
          '<a href="https://x.example">',
          '</a>',
          '<li>',
          'w',
          ' ',
          '*',
          '<ul>',
          '</ul>',
        ),
      ),
      (parts) => {
        expect(readHtml(parts.join(''))).not.toMatch(/<|\n{3}/)
      },
    ),
  )
})

test('finds the category by the type and tags of another shop', () => {
  for (const [texts, id] of [
    [['E-Books'], 'ebooks'],
    [['ebooks'], 'ebooks'],
    [['online courses'], 'courses'],
    [['Wall art', 'audio'], 'audio'],
    [['Media > Books > E-Books'], 'ebooks'],
    [['Audiobook'], 'audio'],
    [['Gift card'], 'gift-cards'],
    [['Loops'], 'audio'],
    [['Bookcase'], null],
    [['', '  '], null],
    [['crypto'], null],
  ] as const)
    expect([texts, categoryOf([...texts], CATEGORIES)]).toEqual([texts, id])
})

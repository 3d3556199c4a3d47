import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { books } from './books.ts'
import { makeFile } from './files.ts'
import type { FileKind, Good } from './good.ts'
import { goods, moreGoods } from './goods.ts'
import { pdf, wrap } from './pdf.ts'
import { zip } from './zip.ts'

const all = [...goods, ...moreGoods(70)]
const of = (kind: FileKind) => all.filter(({ file }) => file === kind)
const fileOf = (slug: string) => makeFile(goods.find((good) => good.slug === slug)!)

/** Reads a ZIP from its end as an unpacker does, and checks every figure on the way. */
function unpack(bytes: Buffer) {
  const end = bytes.length - 22
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50)
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  expect(at + bytes.readUInt32LE(end + 12)).toBe(end)
  const files = new Map<string, string>()
  for (let i = 0; i < count; i++) {
    expect(bytes.readUInt32LE(at)).toBe(0x02014b50)
    const [crc, packed, size] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)]
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const local = bytes.readUInt32LE(at + 42)
    expect(bytes.readUInt32LE(local)).toBe(0x04034b50)
    // What a file says of itself and what the directory says of it are the same 26 bytes.
    expect(bytes.subarray(local + 4, local + 30)).toEqual(bytes.subarray(at + 6, at + 32))
    expect(bytes.toString('utf8', local + 30, local + 30 + nameLength)).toBe(name)
    const data = bytes.subarray(local + 30 + nameLength, local + 30 + nameLength + size)
    expect([packed, crc32(data)]).toEqual([size, crc])
    expect(name).not.toMatch(/^\/|\.\.|\\/)
    expect(files.has(name)).toBe(false)
    files.set(name, data.toString('utf8'))
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  expect(at).toBe(end)
  return files
}

/** Fails on a document whose tags do not close, in the order in which they opened. */
function expectWellFormed(xml: string) {
  const open: string[] = []
  const body = xml.replace(/^<\?xml[^>]*\?>\n(<!DOCTYPE html>\n)?/, '')
  expect(body.replace(/<\/?[a-zA-Z][^<>]*>/g, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;)/)
  for (const [, close, name, self] of body.matchAll(/<(\/?)([a-zA-Z:]+)[^<>]*?(\/?)>/g))
    if (close) expect(open.pop()).toBe(name)
    else if (!self) open.push(name!)
  expect(open).toEqual([])
}

test.each(of('zip'))('$title unpacks, and its README lists what is in it', (good) => {
  const { fileName, contentType, bytes } = makeFile(good)
  expect([fileName, contentType]).toEqual([`${good.slug}.zip`, 'application/zip'])
  const files = unpack(bytes)
  const [readme, ...rest] = files.keys()
  expect(readme).toBe('README.txt')
  expect(rest.length).toBeGreaterThanOrEqual(1)
  for (const path of rest) expect(files.get('README.txt')).toContain(path)
  for (const content of files.values()) expect(content.trim()).not.toBe('')
})

test.each(of('epub'))('$title is a book that readers open', async (good) => {
  const { contentType, bytes } = makeFile(good)
  expect(contentType).toBe('application/epub+zip')
  expect(bytes.toString('latin1', 30, 58)).toBe('mimetypeapplication/epub+zip')
  const files = unpack(bytes)
  for (const [path, content] of files) if (/\.(xml|opf|xhtml|svg)$/.test(path)) expectWellFormed(content)
  const opf = files.get('EPUB/content.opf')!
  expect(files.get('META-INF/container.xml')).toContain('full-path="EPUB/content.opf"')
  expect(opf).toContain(`urn:uuid:${good.id}`)
  const manifest = [...opf.matchAll(/<item id="([^"]+)" href="([^"]+)"/g)].map(([, name, href]) => ({ name, href }))
  expect(manifest.map(({ href }) => `EPUB/${href}`).sort()).toEqual(
    [...files.keys()].filter((path) => path.startsWith('EPUB/') && !path.endsWith('.opf')).sort(),
  )
  const spine = [...opf.matchAll(/idref="([^"]+)"/g)].map(([, name]) => name)
  expect(spine.length).toBeGreaterThanOrEqual(3)
  for (const name of spine) expect(manifest.map((item) => item.name)).toContain(name)
  for (const [, href] of files.get('EPUB/nav.xhtml')!.matchAll(/<a href="([^"]+)"/g))
    expect(files.has(`EPUB/${href}`)).toBe(true)
  await expect(sharp(Buffer.from(files.get('EPUB/cover.svg')!)).metadata()).resolves.toMatchObject({ format: 'svg' })
})

test.each(of('pdf'))('$title is a PDF whose table of objects is right', (good) => {
  const { contentType, bytes } = makeFile(good)
  expect(contentType).toBe('application/pdf')
  const text = bytes.toString('latin1')
  expect(text).toMatch(/^%PDF-1\.7\n/)
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
  const [, size] = /^xref\n0 (\d+)\n/.exec(text.slice(start))!
  const entries = text.slice(start).split('trailer')[0]!.split('\n').slice(2, -1)
  expect(entries).toHaveLength(Number(size))
  expect(entries[0]).toBe('0000000000 65535 f ')
  for (const [i, entry] of entries.entries()) {
    expect(`${entry}\n`).toHaveLength(20)
    if (i > 0) expect(text.slice(Number(entry.slice(0, 10)))).toMatch(new RegExp(`^${i} 0 obj\n`))
  }
  for (const [, length, stream] of text.matchAll(/\/Length (\d+) >>\nstream\n([^]*?)\nendstream/g))
    expect(stream).toHaveLength(Number(length))
  const pages = text.match(/\/Type \/Page /g)!.length
  expect(pages).toBeLessThanOrEqual(2)
  expect(text).toContain(`/Count ${pages} `)
})

test('a voucher says in large letters that it is none', () => {
  const text = fileOf('fernhill-bookshop-gift-card-25').bytes.toString('latin1')
  expect(text).toContain('(DEMO VOUCHER - no cash value) Tj')
  expect(text).toContain('($25.00) Tj')
  expect(text).toMatch(/cannot be used anywhere/)
})

test.each(of('wav'))('$title is a recording of two to five seconds', (good) => {
  const { contentType, bytes } = makeFile(good)
  expect(contentType).toBe('audio/wav')
  expect(bytes.length).toBeLessThan(300 * 1024)
  expect([bytes.toString('latin1', 0, 4), bytes.toString('latin1', 8, 16), bytes.toString('latin1', 36, 40)]).toEqual([
    'RIFF',
    'WAVEfmt ',
    'data',
  ])
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
  expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44)
  const [format, channels, rate, perSecond, block, bits] = [
    bytes.readUInt16LE(20),
    bytes.readUInt16LE(22),
    bytes.readUInt32LE(24),
    bytes.readUInt32LE(28),
    bytes.readUInt16LE(32),
    bytes.readUInt16LE(34),
  ]
  expect([format, channels, bits, block, perSecond]).toEqual([1, 1, 16, 2, rate * 2])
  const seconds = (bytes.length - 44) / perSecond
  expect(seconds).toSatisfy((length: number) => length >= 2 && length <= 5)
  if (goods.includes(good)) expect(good.description).toContain(`of ${seconds} seconds`)
  const samples = Array.from({ length: (bytes.length - 44) / 2 }, (_, i) => bytes.readInt16LE(44 + i * 2))
  expect(Math.max(...samples.slice(0, 20_000).map(Math.abs))).toBeGreaterThan(3000)
  expect(Math.max(...samples.map(Math.abs).slice(0, 100_000))).toBeLessThanOrEqual(26_000)
  // It ends in silence, not in a click.
  expect(Math.abs(samples.at(-1)!)).toBeLessThan(100)
})

test('every good makes the same bytes again, and no two goods the same', () => {
  const print = (good: Good) => createHash('sha256').update(makeFile(good).bytes).digest('hex')
  const prints = all.map(print)
  expect(all.map(print)).toEqual(prints)
  expect(new Set(prints).size).toBe(all.length)
})

// Bytes that were sold must not change under their buyers: change these prints on purpose only.
test.each([
  ['fernhill-bookshop-gift-card-25', 'c37c4f56c60e'],
  ['salt-and-time', 'ef3a101c6af6'],
  ['quiet-css', '0af645f99cc2'],
])('the file of %s is today what it was yesterday', (slug, print) => {
  expect(createHash('sha256').update(fileOf(slug).bytes).digest('hex').slice(0, 12)).toBe(print)
})

test('a book carries its chapters, markup in them as text', () => {
  const book = books.find(({ slug }) => slug === 'salt-and-time')!
  const files = unpack(fileOf('salt-and-time').bytes)
  for (const [i, { heading, paragraphs }] of book.sections.entries()) {
    expect(files.get(`EPUB/chapter-${i + 1}.xhtml`)).toContain(`<h1>${heading}</h1>`)
    expect(files.get(`EPUB/chapter-${i + 1}.xhtml`)).toContain(paragraphs[0])
  }
  const odd = makeFile({ ...goods.find(({ file }) => file === 'epub')!, slug: 'odd', title: 'A <b> & "c"' })
  for (const [path, content] of unpack(odd.bytes)) if (path.endsWith('html')) expectWellFormed(content)
})

test('a ZIP keeps names beyond ASCII and empty files', () => {
  expect([
    ...unpack(
      zip([
        ['größe/ü.txt', 'ä'],
        ['empty', ''],
      ]),
    ),
  ]).toEqual([
    ['größe/ü.txt', 'ä'],
    ['empty', ''],
  ])
  expect(unpack(zip([])).size).toBe(0)
})

test('a PDF holds brackets, quotation marks and letters it cannot show', () => {
  const text = makeFile({ ...goods[0]!, title: 'A (b) \\ “c” 日 é' }).bytes.toString('latin1')
  expect(text).toContain('(A \\(b\\) \\\\ \x93c\x94 ? \xe9) Tj')
  expect(pdf('日本', ['']).toString('latin1')).toContain('/Title <FEFF65e5672c>')
})

test('lines are wrapped at words', () => {
  expect(wrap('one two three', 45, 12)).toEqual(['one two', 'three'])
  expect(wrap('incomprehensibilities are long', 40, 12)).toEqual(['incomprehensibilities', 'are', 'long'])
})

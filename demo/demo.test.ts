import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { askingProblems } from '../src/catalogue/price/asking.rules.ts'
import { cardsOf, codesOf, idOf } from './made.ts'
import { type DemoProduct, filePath, makeProducts, readContent, readProducts, readReviews } from './seed.ts'

const products = readProducts()
const all = [...products, ...makeProducts(70)]
const categories = ['gift-cards', 'crypto', 'prepaid', 'ebooks', 'courses', 'software', 'audio']
const { voucherNotice } = readContent<{ voucherNotice: string }>('series.json')

const sentences = (text: string) => text.match(/[.!?](?=\s|$)/g)?.length ?? 0
const withFile = products.filter(({ file }) => file)
const bytesOf = ({ file }: DemoProduct) => readFileSync(filePath(file!))
const hashOf = (product: DemoProduct) => createHash('sha256').update(bytesOf(product)).digest('hex')

test('the demo store has at least sixty products, eight or more in each category', () => {
  expect(products.length).toBeGreaterThanOrEqual(60)
  for (const category of categories)
    expect(products.filter(({ categoryId }) => categoryId === category).length, category).toBeGreaterThanOrEqual(8)
})

test('the three featured products come first: a gift card, an e-book and a recording', () => {
  expect(products.filter(({ isFeatured }) => isFeatured)).toEqual(products.slice(0, 3))
  expect(products.slice(0, 3).map(({ categoryId }) => categoryId)).toEqual(['gift-cards', 'ebooks', 'audio'])
})

test.each(all)('$title is a valid listing', (product) => {
  expect(z.uuid().safeParse(product.id).success).toBe(true)
  expect(product.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  expect(product.title.length).toBeLessThanOrEqual(80)
  expect(product.price).toMatch(/^\d+\.\d\d$/)
  expect(Number(product.price)).toSatisfy((dollars: number) => dollars === 0 || (dollars >= 1 && dollars <= 500))
  expect(askingProblems(product)).toEqual({})
  expect(categories).toContain(product.categoryId)
  expect(sentences(product.description), product.description).toSatisfy((count: number) => count >= 2 && count <= 4)
  expect(product.title).not.toMatch(/\b(Visa|Mastercard|Amazon|Steam|Netflix|Apple|Google|PayPal|Spotify)\b/i)
})

test('the demo store has a free sample and a book with a price that buyers choose', () => {
  expect(products.filter(({ price }) => price === '0.00').map(({ title }) => title)).toEqual([
    'Two Small Walks: a free sample',
  ])
  expect(products.filter(({ suggested }) => suggested).map(({ title }) => title)).toEqual(['A Year of Small Walks'])
})

test('every voucher states its amount and that it has no cash value', () => {
  for (const product of [...products, ...makeProducts(300)]) {
    const isVoucher = /Voucher|Card, \$/.test(product.title)
    expect(isVoucher).toBe(product.description.includes(voucherNotice))
    if (!isVoucher) continue
    expect(product.description).toMatch(/demo/)
    expect(product.title).toMatch(/, \$\d+$/)
    expect(`${product.title.split('$')[1]}.00`).toBe(product.price)
  }
})

test('titles, slugs and ids are unique, also among many generated products', () => {
  const many = [...products, ...makeProducts(30_000)]
  for (const key of ['id', 'slug', 'title'] as const)
    expect(new Set(many.map((product) => product[key])).size).toBe(many.length)
})

test('generates the same products in every run, spread over all categories', () => {
  expect(makeProducts(50)).toEqual(makeProducts(500).slice(0, 50))
  expect(makeProducts(0)).toEqual([])
  expect(new Set(makeProducts(7).map(({ categoryId }) => categoryId)).size).toBe(7)
})

test('derives a stable version 8 UUID from a slug', () => {
  expect(idOf('salt-and-time')).toBe('50e34e3c-7091-897a-b8a7-d36e944b07a1')
})

test.each([...withFile, ...makeProducts(7)])('the file of $title has the format of its type', (product) => {
  const bytes = bytesOf(product)
  const text = bytes.toString('latin1')
  expect(bytes.length).toBeLessThan(300 * 1024)
  if (product.fileType === 'pdf') {
    expect(text).toMatch(/^%PDF-1\.7\n/)
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
    expect(text.slice(start)).toMatch(/^xref\n/)
  } else if (product.fileType === 'wav') {
    expect(text).toMatch(/^RIFF....WAVEfmt /s)
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
    const seconds = (bytes.length - 44) / bytes.readUInt32LE(28)
    if (products.includes(product)) expect(product.description).toContain(`of ${seconds} seconds`)
  } else {
    expect(bytes.readUInt32LE(bytes.length - 22)).toBe(0x06054b50)
    const start = product.fileType === 'epub' ? 'mimetypeapplication/epub+zip' : 'README.txt'
    expect(text.slice(30, 30 + start.length)).toBe(start)
  }
})

test('vouchers have demo codes, and prepaid vouchers also PINs', () => {
  const vouchers = products.filter(({ title }) => title.includes('Voucher'))
  expect(vouchers.length).toBeGreaterThan(10)
  for (const voucher of vouchers) {
    expect([voucher.slug, voucher.file]).toEqual([voucher.slug, undefined])
    const pins = cardsOf(voucher).map((card) => (typeof card === 'string' ? '' : card.pin))
    expect(pins.length).toBe(voucher.codes)
    for (const pin of pins) expect(pin).toMatch(voucher.categoryId === 'prepaid' ? /^\d{4}$/ : /^$/)
  }
})

test('gift cards sell each demo code once, and one card is nearly sold out', () => {
  const cards = products.filter(({ categoryId }) => categoryId === 'gift-cards')
  const plain = cards.filter(({ variants }) => !variants)
  expect(plain.every(({ codes, file }) => codes && !file)).toBe(true)
  expect(Math.min(...plain.map(({ codes }) => codes!))).toBe(3)
  const codes = cards.flatMap((card) =>
    card.variants
      ? card.variants.flatMap(({ name, codes: many = 0 }) => codesOf({ slug: `${card.slug} ${name}`, codes: many }))
      : codesOf(card),
  )
  expect(new Set(codes).size).toBe(codes.length)
  for (const code of codes) expect(code).toMatch(/^DEMO(-[A-Z0-9]{4}){3}$/)
})

test('has a card with a sold-out denomination, software in tiers, and a bundle that saves money', () => {
  const [card, software] = products.filter(({ variants }) => variants)
  expect(card).toMatchObject({ categoryId: 'gift-cards', codes: 0 })
  expect(card!.description).toMatch(/no value/)
  expect(card!.variants!.filter(({ codes }) => codes === 0).map(({ name }) => name)).toEqual(['$100'])
  for (const { name, price } of card!.variants!) expect(`$${Number(price)}`).toBe(name)
  expect(software!.variants!.map(({ price }) => price)).toEqual(['6.00', '10.00', '25.00'])
  const bundle = products.find(({ parts }) => parts)!
  const alone = bundle.parts!.map((slug) => Number(products.find((product) => product.slug === slug)!.price))
  expect(alone.reduce((sum, price) => sum + price, 0)).toBeGreaterThan(Number(bundle.price))
})

test('no two products share a file', () => {
  expect(new Set(withFile.map(hashOf)).size).toBe(withFile.length)
})

// Sold files must not change, and git must not convert their line endings.
test.each([
  ['salt-and-time', 'ef3a101c6af6'],
  ['quiet-css', '0af645f99cc2'],
])('the file of %s is unchanged', (slug, hash) => {
  expect(hashOf(products.find((product) => product.slug === slug)!).slice(0, 12)).toBe(hash)
})

test('has 124 sample reviews: 103 of five stars, 17 of four and 4 of three', () => {
  const stars = readReviews().map((review) => review.stars)
  const count = (wanted: number) => stars.filter((given) => given === wanted).length
  expect([stars.length, count(5), count(4), count(3)]).toEqual([124, 103, 17, 4])
})

test('dates the sample reviews within the age of the store and repeats no text on one product', () => {
  const now = Date.UTC(2026, 10, 21)
  const reviews = readReviews(now)
  const ids = products.map(({ id }) => id)
  const texts = reviews.filter(({ text }) => text).map(({ productId, text }) => `${productId} ${text}`)
  expect(new Set(texts).size).toBe(texts.length)
  for (const { productId, createdAt } of reviews) {
    expect(ids).toContain(productId)
    expect(createdAt.getTime()).toBeLessThan(now)
    expect(now - createdAt.getTime()).toBeLessThan(240 * 24 * 60 * 60 * 1000)
  }
})

import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { idOf } from './good.ts'
import { goods, moreGoods } from './goods.ts'
import { software } from './software.ts'
import { voucherNotice } from './vouchers.ts'

const categories = ['gift-cards', 'crypto', 'prepaid', 'ebooks', 'courses', 'software', 'audio']
const sentences = (text: string) => text.match(/[.!?](?=\s|$)/g)?.length ?? 0

test('the shop opens with at least sixty goods, eight or more in each category', () => {
  expect(goods.length).toBeGreaterThanOrEqual(60)
  for (const category of categories)
    expect(goods.filter(({ categoryId }) => categoryId === category).length, category).toBeGreaterThanOrEqual(8)
})

test('the three featured goods come first: a gift card, an e-book and a recording', () => {
  expect(goods.filter(({ isFeatured }) => isFeatured)).toEqual(goods.slice(0, 3))
  expect(goods.slice(0, 3).map(({ categoryId }) => categoryId)).toEqual(['gift-cards', 'ebooks', 'audio'])
})

test.each([...goods, ...moreGoods(70)])('$title is a listing that the shop accepts', (good) => {
  expect(good.id).toBe(idOf(good.slug))
  expect(z.uuid().safeParse(good.id).success).toBe(true)
  expect(good.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  expect(good.title.length).toBeLessThanOrEqual(80)
  expect(good.price).toMatch(/^\d+\.\d\d$/)
  expect(Number(good.price)).toSatisfy((dollars: number) => dollars >= 1 && dollars <= 500)
  expect(categories).toContain(good.categoryId)
  expect(sentences(good.description), good.description).toSatisfy((count: number) => count >= 2 && count <= 4)
  expect(good.title).not.toMatch(/\b(Visa|Mastercard|Amazon|Steam|Netflix|Apple|Google|PayPal|Spotify)\b/i)
})

test('every voucher says what it is worth and that it is worth nothing elsewhere', () => {
  for (const good of [...goods, ...moreGoods(300)]) {
    const isVoucher = /Voucher|Card, \$/.test(good.title)
    expect(isVoucher).toBe(good.description.includes(voucherNotice))
    if (!isVoucher) continue
    expect(good.description).toMatch(/demo/)
    expect(good.title).toMatch(/, \$\d+$/)
    expect(`${good.title.split('$')[1]}.00`).toBe(good.price)
  }
})

test('no two goods share a title, an address or an id, however many there are', () => {
  const all = [...goods, ...moreGoods(30_000)]
  for (const key of ['id', 'slug', 'title'] as const)
    expect(new Set(all.map((good) => good[key])).size).toBe(all.length)
})

test('the goods made up for a load are the same in every run, and more of them begin with the same ones', () => {
  expect(moreGoods(50)).toEqual(moreGoods(500).slice(0, 50))
  expect(moreGoods(0)).toEqual([])
  expect(new Set(moreGoods(7).map(({ categoryId }) => categoryId)).size).toBe(7)
})

test('an id is of our own making (version 8) and never changes', () => {
  expect(idOf('salt-and-time')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(idOf('salt-and-time')).toBe('50e34e3c-7091-897a-b8a7-d36e944b07a1')
})

test('the palettes keep the contrast that their description promises', () => {
  const palettes = software.find(({ slug }) => slug === 'five-colour-palettes')!.files['palettes.json']!
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const channel = parseInt(colour.slice(at, at + 2), 16) / 255
      return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const all = Object.values(JSON.parse(palettes) as Record<string, string[]>)
  expect(all).toHaveLength(5)
  for (const [darkest, , , , lightest] of all)
    expect((luminance(lightest!) + 0.05) / (luminance(darkest!) + 0.05)).toBeGreaterThan(7)
})

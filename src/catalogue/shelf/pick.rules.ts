import { toCents } from '../../kit/money.ts'
import { formatPrice, type Currency } from '../../localisation/currency.rules.ts'
import { FREE, MAX_COUNTED, type Product, type Sort } from '../catalogue.contract.ts'
import { readPrice } from './pricePhrase.rules.ts'
import { centsOf } from './range.rules.ts'
import type { Filters } from './shelf.rules.ts'

export const sortNames: Record<Sort, string> = {
  featured: 'Featured first',
  popular: 'Most bought first',
  newest: 'Newest first',
  'price-asc': 'Price, low to high',
  'price-desc': 'Price, high to low',
  rating: 'Best rated first',
  title: 'Title, A to Z',
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

export function hasWords(text: string, typed: string): boolean {
  const words = wordsOf(text)
  return wordsOf(typed).every((word) => words.some((one) => one.startsWith(word)))
}

/** Filters and sorts loaded products. Searches title, description and seller until the server responds. */
export function pick(products: Product[], { q, categoryId, sort, price, stars, kind }: Filters): Product[] {
  const typed = readPrice(q)
  const ranges = [price, typed.price].flatMap((range) => (range ? [centsOf(range)] : []))
  const isPriced = (cents: number) => ranges.every(([from, to]) => cents >= from && cents <= to)
  const found = products.filter(
    (product) =>
      (!categoryId || product.categoryId === categoryId) &&
      isPriced(toCents(product.price)) &&
      (!kind || product.kind === kind) &&
      (!stars || (product.rated?.stars ?? 0) >= stars) &&
      hasWords(`${product.title} ${product.description ?? ''} ${product.sellerName}`, typed.words),
  )
  return sort === 'featured' || isServersOrder(sort) ? found : found.sort(orders[sort])
}

/** Formats a range in the shopper's currency: 'Free', 'Up to $4.99', '$5.00 to $9.99', '$100.00 and more'. */
export function describeRange(range: string, currency: Currency): string {
  if (range === FREE) return 'Free'
  const [from, to] = centsOf(range)
  if (to === Infinity) return `${formatPrice(from, currency)} and more`
  const most = formatPrice(to, currency)
  return from === 0 ? `Up to ${most}` : `${formatPrice(from, currency)} to ${most}`
}

/** Only the server knows the age and the buyers of a product. */
export const isServersOrder = (sort: Sort): sort is 'popular' | 'newest' => sort === 'popular' || sort === 'newest'

const byTitle = (a: Product, b: Product) => a.title.localeCompare(b.title, 'en')
const byPrice = (a: Product, b: Product) => toCents(a.price) - toCents(b.price)
const byRating = ({ rated: a }: Product, { rated: b }: Product) =>
  (b?.stars ?? 0) - (a?.stars ?? 0) || (b?.reviews ?? 0) - (a?.reviews ?? 0)

const orders: Record<Exclude<Sort, 'featured' | 'popular' | 'newest'>, (a: Product, b: Product) => number> = {
  'price-asc': byPrice,
  'price-desc': (a, b) => byPrice(b, a),
  rating: byRating,
  title: byTitle,
}

const MAX_ECHO_LENGTH = 40

export const echo = (q: string): string => (q.length > MAX_ECHO_LENGTH ? `${q.slice(0, MAX_ECHO_LENGTH).trim()}…` : q)

export const foundText = (total: number, { q, ...filters }: Partial<Filters>): string =>
  `${(q || isFiltered(filters)) && total >= MAX_COUNTED ? `${MAX_COUNTED.toLocaleString('en')}+` : total} product(s) found`

export const isFiltered = ({ price, stars, kind, isAnyStock }: Partial<Filters>): boolean =>
  Boolean(price || stars || kind || isAnyStock)

export function emptyText(
  { q: asked, categoryId, price: chosen, stars, kind }: Filters,
  categoryName?: string,
): string {
  const { words: q, price: typed } = readPrice(asked)
  const price = chosen ?? typed
  const where = categoryId ? ` in ${categoryName ?? 'this category'}` : ''
  const limits = [price && 'price', stars && 'rating', kind && 'kind'].filter(Boolean).join(' and ')
  if (q && limits) return `No match for “${echo(q)}”${where} at this ${limits}.`
  if (q) return `Nothing matches “${echo(q)}”${where}. Check the spelling or try fewer words.`
  if (limits) return `Nothing${where} has this ${limits}.`
  return categoryId ? `Nothing${where} yet.` : 'Nothing in the store yet.'
}

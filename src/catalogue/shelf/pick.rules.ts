import { toCents } from '../../kit/money.ts'
import type { Product, Sort } from '../catalogue.contract.ts'
import type { Filters } from './shelf.rules.ts'

export const sortNames: Record<Sort, string> = {
  featured: 'Featured first',
  newest: 'Newest first',
  'price-asc': 'Price, low to high',
  'price-desc': 'Price, high to low',
  title: 'Title, A to Z',
}

/** Filters and sorts a loaded catalogue. Searches titles and descriptions, ignoring case. */
export function pick(products: Product[], { q, categoryId, sort }: Filters): Product[] {
  const wanted = q.trim().toLowerCase()
  const found = products.filter(
    (product) =>
      (!categoryId || product.categoryId === categoryId) &&
      (!wanted ||
        product.title.toLowerCase().includes(wanted) ||
        (product.description?.toLowerCase().includes(wanted) ?? false)),
  )
  return isGivenOrder(sort) ? found : found.sort(orders[sort])
}

/** Only the server knows the age of a product. */
const isGivenOrder = (sort: Sort): sort is 'featured' | 'newest' => sort === 'featured' || sort === 'newest'

const byTitle = (a: Product, b: Product) => a.title.localeCompare(b.title, 'en')
const byPrice = (a: Product, b: Product) => toCents(a.price) - toCents(b.price)

const orders: Record<Exclude<Sort, 'featured' | 'newest'>, (a: Product, b: Product) => number> = {
  'price-asc': byPrice,
  'price-desc': (a, b) => byPrice(b, a),
  title: byTitle,
}

export function emptyText({ q, categoryId }: Filters, categoryName?: string): string {
  const where = categoryId ? ` in ${categoryName ?? 'this category'}` : ''
  if (q) return `Nothing matches “${q}”${where}. Check the spelling or try fewer words.`
  return categoryId ? `Nothing${where} yet.` : 'Nothing in the store yet.'
}

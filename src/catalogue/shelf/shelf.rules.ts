import { FREE, type Sort, SORTS } from '../catalogue.contract.ts'
import { type KindName, KINDS } from '../kinds.rules.ts'

export type Filters = {
  q: string
  categoryId: string | null
  sort: Sort
  /** A range in dollars, without its upper bound: '10-25', '100-', or 'free'. */
  price: string | null
  stars: number | null
  kind: KindName | null
  isAnyStock: boolean
}

export const UNSORTED: Sort = 'featured'
export const ALL: Filters = {
  q: '',
  categoryId: null,
  sort: UNSORTED,
  price: null,
  stars: null,
  kind: null,
  isAnyStock: false,
}

export const PRICES = [FREE, '0-5', '5-10', '10-25', '25-100', '100-']
export const STARS = [4, 3]

export function readFilters(search: URLSearchParams): Filters {
  return {
    q: (search.get('q') ?? '').slice(0, 200),
    categoryId: search.get('category') || null,
    sort: SORTS.find((known) => known === search.get('sort')) ?? UNSORTED,
    price: PRICES.find((known) => known === search.get('price')) ?? null,
    stars: STARS.find((known) => String(known) === search.get('stars')) ?? null,
    kind: KINDS.find((known) => known === search.get('kind')) ?? null,
    isAnyStock: search.get('stock') === 'any',
  }
}

export function shelfPath(filters: Partial<Filters>): string {
  const { q, categoryId, sort, price, stars, kind, isAnyStock } = { ...ALL, ...filters }
  const search = new URLSearchParams()
  if (q) search.set('q', q)
  if (categoryId) search.set('category', categoryId)
  if (price) search.set('price', price)
  if (stars) search.set('stars', String(stars))
  if (kind) search.set('kind', kind)
  if (isAnyStock) search.set('stock', 'any')
  if (sort !== UNSORTED) search.set('sort', sort)
  const text = search.toString()
  return text ? `/categories?${text}` : '/categories'
}

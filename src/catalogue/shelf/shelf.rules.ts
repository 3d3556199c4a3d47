import { type Sort, SORTS } from '../catalogue.contract.ts'

/** What the customer asks the shelf for; it lives in the address. */
export type Filters = { q: string; categoryId: string | null; sort: Sort }

/** The order of a shelf nobody has sorted. */
export const UNSORTED: Sort = 'featured'

export function readFilters(search: URLSearchParams): Filters {
  const sort = SORTS.find((known) => known === search.get('sort')) ?? UNSORTED
  return { q: (search.get('q') ?? '').slice(0, 200), categoryId: search.get('category') || null, sort }
}

/** The address of a shelf; what is not asked for is left out. */
export function shelfPath({ q = '', categoryId = null, sort = UNSORTED }: Partial<Filters>): string {
  const search = new URLSearchParams()
  if (q) search.set('q', q)
  if (categoryId) search.set('category', categoryId)
  if (sort !== UNSORTED) search.set('sort', sort)
  const text = search.toString()
  return text ? `/categories?${text}` : '/categories'
}

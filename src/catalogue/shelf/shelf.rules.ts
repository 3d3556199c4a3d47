import { type Sort, SORTS } from '../catalogue.contract.ts'

/** The filters of the shelf. The URL holds them. */
export type Filters = { q: string; categoryId: string | null; sort: Sort }

export const UNSORTED: Sort = 'featured'

export function readFilters(search: URLSearchParams): Filters {
  const sort = SORTS.find((known) => known === search.get('sort')) ?? UNSORTED
  return { q: (search.get('q') ?? '').slice(0, 200), categoryId: search.get('category') || null, sort }
}

/** The URL of a shelf, without default values. */
export function shelfPath({ q = '', categoryId = null, sort = UNSORTED }: Partial<Filters>): string {
  const search = new URLSearchParams()
  if (q) search.set('q', q)
  if (categoryId) search.set('category', categoryId)
  if (sort !== UNSORTED) search.set('sort', sort)
  const text = search.toString()
  return text ? `/categories?${text}` : '/categories'
}

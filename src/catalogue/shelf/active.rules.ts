import type { Currency } from '../../localisation/currency.rules.ts'
import type { Category } from '../catalogue.contract.ts'
import { KIND_NAMES } from '../kindNames.rules.ts'
import { describeRange, isFiltered } from './pick.rules.ts'
import type { Filters } from './shelf.rules.ts'

/** A filter that is on, and the change that turns it off. */
export type ActiveFilter = { text: string; off: Partial<Filters> }

export function listActive({ price, kind, stars, isAnyStock }: Filters, currency: Currency): ActiveFilter[] {
  return [
    ...(price ? [{ text: describeRange(price, currency), off: { price: null } }] : []),
    ...(kind ? [{ text: KIND_NAMES[kind], off: { kind: null } }] : []),
    ...(stars ? [{ text: `${stars} stars and up`, off: { stars: null } }] : []),
    ...(isAnyStock ? [{ text: 'Sold out too', off: { isAnyStock: false } }] : []),
  ]
}

/** ' of 73' after the number of hits: all products of the category or of the shop. Empty without a search or filter. */
export function outOf(
  total: number,
  filters: Pick<Filters, 'q' | 'categoryId' | 'price' | 'kind' | 'stars' | 'isAnyStock'>,
  categories: Pick<Category, 'id' | 'productCount'>[],
): string {
  if (!filters.q && !isFiltered(filters)) return ''
  const all = categories
    .filter(({ id }) => !filters.categoryId || id === filters.categoryId)
    .reduce((sum, { productCount }) => sum + productCount, 0)
  return all > total ? ` of ${all.toLocaleString('en')}` : ''
}

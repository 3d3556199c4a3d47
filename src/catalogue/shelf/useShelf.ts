import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Reply } from '../../kit/contract.ts'
import { pagesOf } from '../../kit/query/list.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { listProducts, suggestProducts } from '../catalogue.contract.ts'
import { shelfQuery } from '../useCatalogue.ts'
import { isFiltered, isServersOrder, pick } from './pick.rules.ts'
import { readPrice } from './pricePhrase.rules.ts'
import { type Filters, UNSORTED } from './shelf.rules.ts'

export type Suggestions = Reply<typeof suggestProducts>

/**
 * The products on the shelf. The server searches, sorts by age, and pages a catalogue that is longer than the browser
 * loads. Until its answer, and without a connection, the browser filters the products it has. `total` counts the whole
 * result.
 */
export function useShelf(filters: Filters) {
  const all = useQuery(shelfQuery)
  const { q, categoryId, sort, price, stars, kind, isAnyStock } = filters
  const searched = q.trim()
  const hasWords = readPrice(searched).words !== ''
  const isHere =
    all.data !== undefined &&
    all.data.total <= all.data.items.length &&
    !isServersOrder(sort) &&
    !isAnyStock &&
    !hasWords
  // the server's default order: featured first, and for a search the best match
  const asked = {
    limit: 48,
    sort: sort === UNSORTED ? undefined : sort,
    q: searched || undefined,
    categoryId: categoryId ?? undefined,
    price: price ?? undefined,
    stars: stars ?? undefined,
    kind: kind ?? undefined,
    ...(isAnyStock && { stock: 'any' as const }),
  }
  const pages = useInfiniteQuery({ ...pagesOf(listProducts, asked), enabled: all.data !== undefined && !isHere })
  const here = useMemo(() => pick(all.data?.items ?? [], filters), [all.data, filters])
  const source = isHere || !all.data ? all : pages
  const isAwaited = !isHere && pages.isPending
  const products = isHere || !pages.data ? here : pages.data.pages.flatMap(({ items }) => items)
  // with a filter the search itself may have matches
  const isNothing = hasWords && !isFiltered(filters) && pages.data !== undefined && products.length === 0
  const { data: suggestions, isFetching: isGuessing } = useQuery({
    ...query(suggestProducts, { q: searched }),
    enabled: isNothing,
  })
  return {
    products,
    total: isHere ? here.length : (pages.data?.pages[0]?.total ?? here.length),
    isPending: all.isPending || (isAwaited && here.length === 0 && !pages.isError),
    // suggestions stand first, so what is shown waits for them
    isSettling: isAwaited || isGuessing,
    isRanked: hasWords,
    suggestions: isNothing ? suggestions : undefined,
    hasError: source.isError && here.length === 0,
    isFetching: source.isFetching,
    refetch: () => void source.refetch(),
    readMore: !isHere && pages.hasNextPage ? () => void pages.fetchNextPage() : null,
  }
}

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { pagesOf } from '../../kit/query/list.client.ts'
import { listProducts, type Product } from '../catalogue.contract.ts'
import { didYouMean } from './didYouMean.rules.ts'
import { pick } from './pick.rules.ts'
import { type Filters, UNSORTED } from './shelf.rules.ts'
import { shelfQuery } from '../useCatalogue.ts'

const NONE: Product[] = []
const textsOf = (products: Product[]) => products.flatMap(({ title, description }) => [title, description ?? ''])

const isSaid = (products: Product[], q: string) => pick(products, { q, categoryId: null, sort: UNSORTED }).length > 0

/**
 * The products on the shelf. The browser filters a catalogue it has loaded in full. The server answers, page by page, for
 * a longer catalogue, for the newest first, and for a search without a match. `total` counts the whole result.
 */
export function useShelf(filters: Filters) {
  const all = useQuery(shelfQuery)
  const { q, categoryId, sort } = filters
  const hasAll = all.data !== undefined && all.data.total <= all.data.items.length
  // loaded products do not have their age
  const isWhole = hasAll && sort !== 'newest'
  const searched = q.trim()
  const isUnsaid = useMemo(
    () => hasAll && searched !== '' && !isSaid(all.data.items, searched),
    [hasAll, all.data, searched],
  )
  const isHere = isWhole && !isUnsaid
  // the server's default order: featured first, and for a search the best match
  const asked = {
    limit: 48,
    sort: sort === UNSORTED ? undefined : sort,
    q: searched || undefined,
    categoryId: categoryId ?? undefined,
  }
  const pages = useInfiniteQuery({
    ...pagesOf(listProducts, asked),
    enabled: all.data !== undefined && !isHere,
    placeholderData: keepPreviousData,
  })
  const here = useMemo(() => pick(all.data?.items ?? [], { q, categoryId, sort }), [all.data, q, categoryId, sort])
  // without suggestions the browser shows its own result
  const source = isWhole || !all.data ? all : pages
  const isAwaited = !isHere && pages.isPending
  const known = hasAll || !pages.data ? (all.data?.items ?? NONE) : (pages.data.pages[0]?.items ?? NONE)
  return {
    products: isHere || !pages.data ? here : pages.data.pages.flatMap(({ items }) => items),
    total: isHere ? here.length : (pages.data?.pages[0]?.total ?? here.length),
    isPending: all.isPending || (isAwaited && here.length === 0),
    isSettling: isAwaited || (!isHere && pages.isPlaceholderData),
    /** The default order sorts by match. */
    isRanked: asked.q !== undefined && (!hasAll || isUnsaid),
    suggestion: useMemo(
      () => (searched && !isSaid(known, searched) ? didYouMean(searched, textsOf(known)) : null),
      [searched, known],
    ),
    hasError: source.isError,
    isFetching: source.isFetching,
    refetch: () => void source.refetch(),
    /** Loads the next page; null on the last. */
    readMore: !isHere && pages.hasNextPage ? () => void pages.fetchNextPage() : null,
  }
}

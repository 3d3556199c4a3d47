import { startTransition, useDeferredValue, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { AddToCartButton } from '../../cart/AddToCartButton.tsx'
import { SORTS, type Sort } from '../../catalogue/catalogue.contract.ts'
import { CategoryChips } from '../../catalogue/shelf/CategoryChips.tsx'
import { ProductCard, ProductCardSkeleton } from '../../catalogue/ProductCard.tsx'
import { SearchField } from '../../catalogue/shelf/SearchField.tsx'
import { emptyText, sortNames } from '../../catalogue/shelf/pick.rules.ts'
import { type Filters, UNSORTED, readFilters, shelfPath } from '../../catalogue/shelf/shelf.rules.ts'
import { useCategories } from '../../catalogue/useCatalogue.ts'
import { useShelf } from '../../catalogue/shelf/useShelf.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Highlight } from '../../ui/Highlight.tsx'
import { Link } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { useSettled } from '../../ui/useSettled.ts'
import { Later } from '../../ui/Later.tsx'
import { wasScrolled } from '../../ui/useScroll.ts'

/** Products per step of "Show more". */
const STEP = 24

/** The first screen of cards. The others render later, so that the press that led here is answered at once. */
const AT_ONCE = 8

const sorts = SORTS.map((sort) => ({ value: sort, label: sortNames[sort] }))
const rankedSorts = [{ value: UNSORTED, label: 'Best match' }, ...sorts.filter(({ value }) => value !== UNSORTED)]

/** How long the list rests before screen readers hear its count, in milliseconds. */
const CALM = 700

/** The whole catalogue, to search, filter and sort. The URL holds the filters. */
export function CategoriesPage() {
  const [, navigate] = useLocation()
  const search = useSearch()
  // the chip answers the press at once; the cards render with lower priority
  const settled = useDeferredValue(search)
  const { data: categories = [] } = useCategories()
  const filters = useMemo(() => readFilters(new URLSearchParams(search)), [search])
  const shownFilters = useMemo(() => readFilters(new URLSearchParams(settled)), [settled])
  const category = categories.find(({ id }) => id === filters.categoryId)
  const shelf = useShelf(shownFilters)
  const isCalm = useSettled(search, CALM) === search
  const isSearching = (history.state as { isSearching?: boolean } | null)?.isSearching === true

  const ask = (change: Partial<Filters>, replace = false) => navigate(shelfPath({ ...filters, ...change }), { replace })
  const isAsking = filters.q !== '' || filters.categoryId !== null
  return (
    <div className="section gap-4">
      <PageHead title={category?.name ?? 'All Categories'} />
      <SearchField isFocused={isSearching} />
      <CategoryChips
        categories={categories}
        chosen={filters.categoryId}
        onChoose={(categoryId) => ask({ categoryId })}
      />
      <div className="row row--between shelf__head">
        <div className="row shelf__found" role="status" aria-busy={!isCalm}>
          <p className="muted small num">{shelf.isPending ? 'Looking…' : `${shelf.total} product(s) found`}</p>
          {filters.q && (
            <Badge look="accent">
              <span className="clamp-1">Search: {filters.q}</span>
            </Badge>
          )}
        </div>
        <Select
          className="sort"
          aria-label="Sort"
          options={shelf.isRanked ? rankedSorts : sorts}
          value={filters.sort}
          onChange={(event) => ask({ sort: event.target.value as Sort }, true)}
        />
      </div>
      {shelf.suggestion && !shelf.isPending && !shelf.isSettling && (
        <p role="status">
          Did you mean{' '}
          <Link
            className="link"
            href={shelfPath({ ...filters, q: shelf.suggestion })}
            // the link disappears with the suggestion: keep the focus on the page
            onClick={() => document.getElementById('main')?.focus({ preventScroll: true })}
          >
            {shelf.suggestion}
          </Link>
          ?
        </p>
      )}
      {shelf.hasError ? (
        <ErrorState title="Couldn’t load the products" onRetry={shelf.refetch} />
      ) : shelf.products.length === 0 && !shelf.isPending && !shelf.isSettling ? (
        <div className="card">
          <EmptyState
            scene="search"
            title="No products found"
            action={isAsking && <Button onClick={() => ask({ q: '', categoryId: null })}>Clear Search</Button>}
          >
            {emptyText(shownFilters, category?.name)}
          </EmptyState>
        </div>
      ) : (
        // a new key starts again with the first products
        <Later>
          <Shelf key={settled} shelf={shelf} q={shownFilters.q} />
        </Later>
      )}
    </div>
  )
}

/** The number of products when the shopper left the page, kept in the history entry. */
const shownBefore = () => (history.state as { shown?: number } | null)?.shown ?? STEP

function Shelf({ shelf, q }: { shelf: ReturnType<typeof useShelf>; q: string }) {
  const [shown, setShown] = useState(shownBefore)
  const drawn = useDeferredValue(shown, wasScrolled() ? shown : AT_ONCE)
  const { products, total, readMore } = shelf
  const show = useMemo(() => (q.trim() ? (text: string) => <Highlight text={text} searched={q} /> : undefined), [q])
  const showMore = () => {
    startTransition(() => setShown(shown + STEP))
    history.replaceState({ ...(history.state as object | null), shown: shown + STEP }, '')
    if (shown + STEP > products.length) readMore?.()
  }
  const left = total - Math.min(shown, products.length)
  return (
    <>
      <div className="products" aria-busy={shelf.isPending || shelf.isSettling}>
        {shelf.isPending
          ? Array.from({ length: 12 }, (_, i) => <ProductCardSkeleton key={i} />)
          : products
              .slice(0, drawn)
              .map((product, i) => (
                <ProductCard
                  key={product.id}
                  product={product}
                  isLazy={i > 3}
                  show={show}
                  action={<AddToCartButton product={product} />}
                />
              ))}
      </div>
      {!shelf.isPending && left > 0 && (
        <div className="row row--center more">
          <Button isBusy={shelf.isFetching} onClick={showMore}>
            Show {Math.min(STEP, left)} more
          </Button>
        </div>
      )}
    </>
  )
}

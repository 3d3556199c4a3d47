import { type ReactNode, startTransition, useDeferredValue, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { AddToCartButton } from '../../purchases/AddToCartButton.tsx'
import { type Product, SORTS, type Sort } from '../../catalogue/catalogue.contract.ts'
import { KIND_NAMES } from '../../catalogue/kindNames.rules.ts'
import { KINDS } from '../../catalogue/kinds.rules.ts'
import { CategoryChips } from '../../catalogue/shelf/CategoryChips.tsx'
import { ProductCard, ProductCardSkeleton } from '../../catalogue/ProductCard.tsx'
import { ActiveFilters } from '../../catalogue/shelf/ActiveFilters.tsx'
import { listActive, outOf } from '../../catalogue/shelf/active.rules.ts'
import { SearchField } from '../../catalogue/shelf/SearchField.tsx'
import { describeRange, echo, emptyText, foundText, isFiltered, sortNames } from '../../catalogue/shelf/pick.rules.ts'
import { readPrice } from '../../catalogue/shelf/pricePhrase.rules.ts'
import {
  ALL,
  type Filters,
  PRICES,
  readFilters,
  shelfPath,
  STARS,
  UNSORTED,
} from '../../catalogue/shelf/shelf.rules.ts'
import { categoriesQuery, shelfQuery, useCategories } from '../../catalogue/useCatalogue.ts'
import { type Suggestions, useShelf } from '../../catalogue/shelf/useShelf.ts'
import { chatIsOpen } from '../../assistant/chatState.client.ts'
import { useCurrency } from '../../localisation/currency.client.ts'
import { useIsWide } from '../../ui/useMatches.ts'
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

const STEP = 24

/** The first screen of cards. The others render later, so that the page opens without delay. */
const AT_ONCE = 8

const sorts = SORTS.map((sort) => ({ value: sort, label: sortNames[sort] }))
const rankedSorts = [{ value: UNSORTED, label: 'Best match' }, ...sorts.filter(({ value }) => value !== UNSORTED)]

const ANY = 'any'
const ratings = [
  { value: ANY, label: 'Any rating' },
  ...STARS.map((stars) => ({ value: String(stars), label: `${stars} stars and up` })),
]
const kinds = [{ value: ANY, label: 'Any kind' }, ...KINDS.map((kind) => ({ value: kind, label: KIND_NAMES[kind] }))]
const IN_STOCK = 'in'
const stocks = [
  { value: IN_STOCK, label: 'In stock' },
  { value: ANY, label: 'Sold out too' },
]

/** Announces the count to screen readers after the list has not changed for this time. */
const CALM_MS = 700

export const firstView = () => [categoriesQuery, shelfQuery]

export function CategoriesPage() {
  const [, navigate] = useLocation()
  const search = useSearch()
  // The chip updates immediately. The cards render with lower priority.
  const settled = useDeferredValue(search)
  const { data: categories = [] } = useCategories()
  const filters = useMemo(() => readFilters(new URLSearchParams(search)), [search])
  const shownFilters = useMemo(() => readFilters(new URLSearchParams(settled)), [settled])
  const category = categories.find(({ id }) => id === filters.categoryId)
  const shelf = useShelf(shownFilters)
  const isCalm = useSettled(search, CALM_MS) === search
  const isWide = useIsWide()
  const currency = useCurrency()
  const isSearching = (history.state as { isSearching?: boolean } | null)?.isSearching === true

  const ask: Ask = (change, replace = false) => navigate(shelfPath({ ...filters, ...change }), { replace })
  const isEmpty = shelf.products.length === 0 && !shelf.isPending && !shelf.isSettling
  const typed = useMemo(() => readPrice(filters.q), [filters.q])
  return (
    <div className="section gap-4">
      <PageHead title={category?.name ?? 'All Categories'} />
      {/* The first view is that of a phone. CSS hides the field on a wide screen. */}
      {!isWide && <SearchField className="shelf__search" isFocused={isSearching} />}
      <CategoryChips
        categories={categories}
        chosen={filters.categoryId}
        onChoose={(categoryId) => ask({ categoryId })}
      />
      <div className="row row--between shelf__head">
        <div className="row shelf__found" role="status" aria-busy={!isCalm}>
          <p className="muted small num">
            {shelf.isPending ? (
              'Looking…'
            ) : (
              <>
                <b>{foundText(shelf.total, shownFilters)}</b>
                {outOf(shelf.total, shownFilters, categories)}
              </>
            )}
          </p>
          {filters.q && (
            <Badge look="accent">
              <span className="clamp-1">Search: {echo(filters.q)}</span>
            </Badge>
          )}
        </div>
        <FilterRow filters={filters} isRanked={shelf.isRanked} onAsk={ask} />
      </div>
      <ActiveFilters
        active={listActive(filters, currency)}
        typed={typed.price ? { text: describeRange(typed.price, currency), off: { q: typed.words } } : null}
        onAsk={ask}
      />
      {shelf.hasError ? (
        <ErrorState title="Couldn’t load the products" onRetry={shelf.refetch} />
      ) : isEmpty ? (
        shelf.suggestions?.products.length ? (
          <Suggested {...shelf.suggestions} />
        ) : (
          <NoProducts filters={filters} shown={shownFilters} category={category?.name} onAsk={ask} />
        )
      ) : (
        // A new key resets the list to the first products.
        <Later>
          <Shelf key={settled} shelf={shelf} q={shownFilters.q} />
        </Later>
      )}
    </div>
  )
}

type Ask = (change: Partial<Filters>, replace?: boolean) => void

type FilterRowProps = { filters: Filters; isRanked: boolean; onAsk: Ask }

function FilterRow({ filters, isRanked, onAsk }: FilterRowProps) {
  const currency = useCurrency()
  return (
    <div className="row shelf__filters">
      <Select
        className="sort"
        aria-label="Price"
        options={[
          { value: ANY, label: 'Any price' },
          ...PRICES.map((range) => ({ value: range, label: describeRange(range, currency) })),
        ]}
        value={filters.price ?? ANY}
        onChange={({ target: { value } }) => onAsk({ price: value === ANY ? null : value })}
      />
      <Select
        className="sort"
        aria-label="Kind"
        options={kinds}
        value={filters.kind ?? ANY}
        onChange={({ target: { value } }) => onAsk({ kind: KINDS.find((kind) => kind === value) ?? null })}
      />
      <Select
        className="sort"
        aria-label="Rating"
        options={ratings}
        value={filters.stars === null ? ANY : String(filters.stars)}
        onChange={({ target: { value } }) => onAsk({ stars: value === ANY ? null : Number(value) })}
      />
      <Select
        className="sort"
        aria-label="Stock"
        options={stocks}
        value={filters.isAnyStock ? ANY : IN_STOCK}
        onChange={({ target: { value } }) => onAsk({ isAnyStock: value === ANY })}
      />
      <Select
        className="sort"
        aria-label="Sort"
        options={isRanked ? rankedSorts : sorts}
        value={filters.sort}
        onChange={(event) => onAsk({ sort: event.target.value as Sort }, true)}
      />
    </div>
  )
}

type NoProductsProps = { filters: Filters; shown: Filters; category: string | undefined; onAsk: Ask }

function NoProducts({ filters, shown, category, onAsk }: NoProductsProps) {
  const isAsking = shelfPath(filters) !== shelfPath({ sort: filters.sort })
  return (
    <div className="card">
      <EmptyState
        scene="search"
        title="No products found"
        action={
          isAsking && (
            <>
              {shown.q && isFiltered(shown) && (
                <Button tone="line" onClick={() => onAsk({ ...ALL, q: filters.q, categoryId: filters.categoryId })}>
                  Without filters
                </Button>
              )}
              <Button onClick={() => onAsk({ ...ALL, sort: filters.sort })}>
                {!shown.q && isFiltered(shown) ? 'Clear filters' : 'Clear Search'}
              </Button>
              <Button tone="ghost" onClick={() => chatIsOpen.set(true)}>
                Ask the assistant
              </Button>
            </>
          )
        }
      >
        {emptyText(shown, category)}
      </EmptyState>
    </div>
  )
}

function Suggested({ words, products }: Suggestions) {
  return (
    <section className="section" aria-labelledby="suggested">
      <h2 id="suggested" aria-live="polite">
        Did you mean{' '}
        {words ? (
          <Link
            className="link"
            href={shelfPath({ q: words })}
            // The link disappears with the suggestion, so moves the focus to the page.
            onClick={() => document.getElementById('main')?.focus({ preventScroll: true })}
          >
            {words}
          </Link>
        ) : (
          'one of these'
        )}
        ?
      </h2>
      <Cards products={products} level={3} />
    </section>
  )
}

type CardsProps = { products: Product[]; level?: 2 | 3; show?: (text: string) => ReactNode }

const Cards = ({ products, ...card }: CardsProps) => (
  <div className="products">
    {products.map((product, i) => (
      <ProductCard key={product.id} product={product} isLazy={i > 3} Action={AddToCartButton} {...card} />
    ))}
  </div>
)

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
      <div aria-busy={shelf.isPending || shelf.isSettling}>
        {shelf.isPending ? (
          <div className="products">
            {Array.from({ length: 12 }, (_, i) => (
              <ProductCardSkeleton key={i} />
            ))}
          </div>
        ) : (
          <Cards products={products.slice(0, drawn)} show={show} />
        )}
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

import { useQuery } from '@tanstack/react-query'
import { Share, Star } from 'lucide-react'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { AddToCartButton } from '../../purchases/AddToCartButton.tsx'
import { listProducts, type Product, type Sort } from '../../catalogue/catalogue.contract.ts'
import { ProductCard, ProductCardSkeleton } from '../../catalogue/ProductCard.tsx'
import { describeRated } from '../../catalogue/rated.rules.ts'
import { Avatar } from '../../identity/accounts/Avatar.tsx'
import { useSession } from '../../identity/sessions/useSession.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { isMissing } from '../../kit/call.client.ts'
import { useIsFirstView } from '../../kit/drawn.client.ts'
import { pagesOf } from '../../kit/query/list.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { useList } from '../../kit/query/useList.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyDialog, lazyPart } from '../../ui/lazyPart.tsx'
import { BrowseProducts } from '../../ui/Link.tsx'
import { PageTitle } from '../../ui/PageHead.tsx'
import { shareLink } from '../../ui/share.client.ts'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useDialog } from '../../ui/useDialog.ts'
import { useReadMore } from '../../ui/useReadMore.ts'
import { namesOf } from './seller.rules.ts'
import { getSeller, type Seller } from './storefront.contract.ts'

const SellerReviews = lazyPart(() => import('./SellerReviews.tsx'), 'SellerReviews')
const StorefrontDialog = lazyDialog(() => import('./StorefrontDialog.tsx'), 'StorefrontDialog')

const STEP = 24
const sorts = [
  { value: 'newest', label: 'Newest first' },
  { value: 'rating', label: 'Best rated first' },
  { value: 'price-asc', label: 'Price, low to high' },
  { value: 'price-desc', label: 'Price, high to low' },
  { value: 'title', label: 'Title, A to Z' },
] as const satisfies { value: Sort; label: string }[]

const sellerQuery = (handle: string) => query(getSeller, { handle })
const productsOf = (seller: string, sort: Sort = 'newest') => pagesOf(listProducts, { seller, sort, limit: STEP })

export const firstView = (id: string) => [sellerQuery(id), productsOf(id)]

export function SellerPage({ id: handle }: { id: string }) {
  const { data: seller, error, refetch } = useQuery(sellerQuery(handle))
  const current = seller?.handle ?? handle
  // replaces a former address or one in capital letters
  useEffect(() => {
    if (current !== handle) navigate(`/seller/${current}`, { replace: true })
  }, [current, handle])
  if (seller)
    return (
      <div className="section gap-6">
        <About seller={seller} />
        <Products key={seller.id} seller={seller} handle={handle} />
        {seller.rated && seller.products > 0 && <SellerReviews handle={seller.handle} count={seller.rated.reviews} />}
      </div>
    )
  if (isMissing(error))
    return (
      <div className="card">
        <EmptyState isPage scene="search" title="Seller not found" action={<BrowseProducts />}>
          No seller has this address. Check the link, or look for the product you want.
        </EmptyState>
      </div>
    )
  return (
    <div className="section gap-6">
      <PageTitle title="Seller" className="sr" />
      {error ? <ErrorState title="Couldn’t load the seller" onRetry={() => void refetch()} /> : <Waiting />}
    </div>
  )
}

function About({ seller }: { seller: Seller }) {
  const { id, name, bio, avatarUrl, rated, since } = seller
  const { user } = useSession()
  const edit = useDialog()
  return (
    <section className="stack gap-4" aria-label="About the seller">
      <div className="row">
        <Avatar user={{ ...namesOf(name), profileImageUrl: avatarUrl }} />
        <div className="grow grow--column">
          <PageTitle title={name} className="wrap-anywhere" />
          <p className="muted small num row gap-1">
            {rated ? (
              <span className="row row--nowrap gap-1">
                <Star className="icon icon--sm is-full" aria-hidden />
                <span>
                  <span className="sr">Rated </span>
                  {describeRated(rated)}
                </span>
              </span>
            ) : (
              'No reviews yet'
            )}
            {` · Sells since ${formatDay(since)}`}
          </p>
        </div>
        <span className="row gap-2">
          {user?.id === id && <Button onClick={edit.open}>Edit</Button>}
          <IconButton
            label="Share this page"
            icon={<Share className="icon" aria-hidden />}
            onClick={() => void shareLink(name)}
          />
        </span>
      </div>
      {bio && <p className="pre-line wrap-anywhere">{bio}</p>}
      {edit.isWanted && <StorefrontDialog {...edit.props} />}
    </section>
  )
}

/** The URL contains the sort order. The server does not read it, so the first view shows the newest products first. */
function Products({ seller, handle }: { seller: Seller; handle: string }) {
  const [search, setSearch] = useSearchParams()
  const asked = sorts.find(({ value }) => value === search.get('sort'))?.value ?? 'newest'
  const sort = useIsFirstView() ? 'newest' : asked
  const { items, isPending, hasError, refetch, readMore, isReadingMore } = useList<Product>(productsOf(handle, sort))
  const { list, readOn } = useReadMore<HTMLDivElement>(readMore, (error) =>
    toastFailure(error, 'Failed to load more products. Please try again.'),
  )
  if (!isPending && !hasError && items.length === 0)
    return (
      <div className="card">
        <EmptyState scene="shelf" title="Nothing on sale" action={<BrowseProducts />}>
          {seller.name} has nothing on sale at the moment.
        </EmptyState>
      </div>
    )
  return (
    <section className="section gap-4" aria-labelledby="products">
      <div className="section__head">
        <h2 id="products">
          {seller.products.toLocaleString('en')} {seller.products === 1 ? 'product' : 'products'}
        </h2>
        <Select
          className="sort"
          aria-label="Sort"
          options={[...sorts]}
          value={sort}
          onChange={({ target: { value } }) => setSearch(value === 'newest' ? {} : { sort: value }, { replace: true })}
        />
      </div>
      {hasError ? (
        <ErrorState title="Couldn’t load the products" onRetry={refetch} />
      ) : (
        <div className="products" ref={list} aria-busy={isPending}>
          {isPending
            ? Array.from({ length: 8 }, (_, i) => <ProductCardSkeleton key={i} />)
            : items.map((product, i) => (
                <ProductCard key={product.id} product={product} level={3} isLazy={i > 3} Action={AddToCartButton} />
              ))}
        </div>
      )}
      {readMore && (
        <div className="row row--center more">
          <Button isBusy={isReadingMore} onClick={readOn}>
            Show more
          </Button>
        </div>
      )}
    </section>
  )
}

const Waiting = () => (
  <div className="stack gap-6" role="status" aria-label="Loading the seller">
    <div className="row">
      <Skeleton className="avatar" />
      <Skeleton height="2.5rem" width="12rem" />
    </div>
    <div className="products">
      {Array.from({ length: 4 }, (_, i) => (
        <ProductCardSkeleton key={i} />
      ))}
    </div>
  </div>
)

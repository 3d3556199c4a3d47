import { useQuery } from '@tanstack/react-query'
import { Share } from 'lucide-react'
import { Fragment, type ReactNode, useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { AddToCartButton } from '../../purchases/AddToCartButton.tsx'
import { listProducts, type Product, type Sort } from '../../catalogue/catalogue.contract.ts'
import { ProductCard, ProductCardSkeleton } from '../../catalogue/ProductCard.tsx'
import type { Section } from '../../catalogue/sellers/design.rules.ts'
import { useSession } from '../../identity/sessions/useSession.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { isMissing } from '../../kit/call.client.ts'
import { useIsFirstView } from '../../kit/drawn.client.ts'
import { pagesOf } from '../../kit/query/list.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { useList } from '../../kit/query/useList.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { BrowseProducts, LinkButton } from '../../ui/Link.tsx'
import { PageTitle } from '../../ui/PageHead.tsx'
import { shareLink } from '../../ui/share.client.ts'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useReadMore } from '../../ui/useReadMore.ts'
import { FollowButton } from '../follows/FollowButton.tsx'
import { followedQuery } from '../follows/useFollows.ts'
import { varsOf } from './colors.rules.ts'
import { HeaderPicture, SellerHead } from './SellerHead.tsx'
import { reviewsOf, SellerReviews } from './SellerReviews.tsx'
import { About, Featured } from './SellerSections.tsx'
import { getSeller, type Seller, type SellerDesign } from './storefront.contract.ts'

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

export const firstView = (id: string) => [sellerQuery(id), productsOf(id), reviewsOf(id), followedQuery]

export function SellerPage({ id: handle }: { id: string }) {
  const { data: seller, error, refetch } = useQuery(sellerQuery(handle))
  const current = seller?.handle ?? handle
  // replaces a former address or one in capital letters
  useEffect(() => {
    if (current !== handle) navigate(`/seller/${current}`, { replace: true })
  }, [current, handle])
  if (seller) {
    const products = <Products key={seller.id} seller={seller} handle={handle} />
    const reviews = seller.rated && seller.products > 0 && (
      <SellerReviews handle={handle} count={seller.rated.reviews} />
    )
    return seller.design ? (
      <DesignedPage seller={seller} design={seller.design} products={products} reviews={reviews} />
    ) : (
      <div className="section gap-6">
        <section className="stack gap-4" aria-label="About the seller">
          <Head seller={seller} />
          <FollowButton seller={seller} />
          {seller.bio && <p className="pre-line wrap-anywhere">{seller.bio}</p>}
        </section>
        {products}
        {reviews}
      </div>
    )
  }
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

type DesignedPageProps = { seller: Seller; design: SellerDesign; products: ReactNode; reviews: ReactNode }

function DesignedPage({ seller, design, products, reviews }: DesignedPageProps) {
  const { header, featured, links } = design
  const parts: Record<Section, ReactNode> = {
    about: (seller.bio || links.length > 0) && <About bio={seller.bio} links={links} />,
    featured: featured && <Featured product={featured} />,
    products,
    reviews,
  }
  return (
    <div className="section gap-6" style={varsOf(design)}>
      <section className="maker" aria-label="About the seller">
        {header && <HeaderPicture header={header} />}
        <div className="maker__who stack">
          <Head seller={seller} />
          <FollowButton seller={seller} />
        </div>
      </section>
      {design.sections.map((section) => (
        <Fragment key={section}>{parts[section]}</Fragment>
      ))}
    </div>
  )
}

function Head({ seller }: { seller: Seller }) {
  const { id, name } = seller
  const { user } = useSession()
  return (
    <SellerHead
      seller={seller}
      title={<PageTitle title={name} className="wrap-anywhere" />}
      actions={
        <span className="row gap-2">
          {user?.id === id && <LinkButton href="/selling/page">Edit</LinkButton>}
          <IconButton
            label="Share this page"
            look={seller.design ? 'line' : 'plain'}
            icon={<Share className="icon" aria-hidden />}
            onClick={() => void shareLink(name)}
          />
        </span>
      }
    />
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

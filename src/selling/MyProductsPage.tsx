import { EyeOff, Plus, Store } from 'lucide-react'
import { listOwnProducts, type OwnProduct } from '../catalogue/catalogue.contract.ts'
import { ProductImage } from '../catalogue/covers/ProductImage.tsx'
import { FILE_WANTED, NOT_ON_SALE } from '../catalogue/standing.rules.ts'
import { pagesOf } from '../kit/query/list.client.ts'
import { useList } from '../kit/query/useList.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import { Price } from '../localisation/Price.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { Link, LinkButton } from '../ui/Link.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { useDialog } from '../ui/useDialog.ts'
import { useReadMore } from '../ui/useReadMore.ts'

const AddProductDialog = lazyDialog(() => import('../catalogue/add-product/AddProductDialog.tsx'), 'AddProductDialog')

/** Products per page. */
const STEP = 24
// another window may have added a product or its file
const ownProducts = { ...pagesOf(listOwnProducts, { limit: STEP }), refetchOnMount: 'always' as const }

export function MyProductsPage() {
  const { items: products, total, isPending, hasError, refetch, readMore, isReadingMore } = useList(ownProducts)
  const adding = useDialog()
  const isEmpty = !isPending && !hasError && products.length === 0
  const plus = <Plus className="icon" aria-hidden />
  return (
    <div className="section gap-4">
      <PageHead
        title="My Products"
        about={isPending ? 'Looking…' : hasError ? undefined : `${total} product(s)`}
        action={!isEmpty && <IconButton look="line" label="Add Product" icon={plus} onClick={adding.open} />}
      />
      {isPending ? (
        <ul className="lines" aria-busy>
          {[1, 2, 3].map((n) => (
            <ProductLineSkeleton key={n} />
          ))}
        </ul>
      ) : hasError ? (
        <ErrorState title="Couldn’t load your products" onRetry={refetch} />
      ) : isEmpty ? (
        <div className="card">
          <EmptyState
            scene="shelf"
            title="No products yet"
            action={
              <Button tone="primary" icon={plus} onClick={adding.open}>
                Add Product
              </Button>
            }
          >
            What you add shows here, on sale or not.
          </EmptyState>
        </div>
      ) : (
        <ProductLines products={products} left={total - products.length} {...{ readMore, isReadingMore }} />
      )}
      {adding.isWanted && <AddProductDialog {...adding.props} />}
    </div>
  )
}

type ProductLinesProps = Pick<ReturnType<typeof useList>, 'readMore' | 'isReadingMore'> & {
  products: OwnProduct[]
  left: number
}

function ProductLines({ products, left, readMore, isReadingMore }: ProductLinesProps) {
  const { list, readOn } = useReadMore(readMore, (error) =>
    toastFailure(error, 'Failed to load more products. Please try again.'),
  )
  return (
    <>
      <ul ref={list} className="lines">
        {products.map((product) => (
          <ProductLine key={product.id} product={product} />
        ))}
      </ul>
      {readMore && (
        <div className="row row--center more">
          <Button isBusy={isReadingMore} onClick={readOn}>
            Show {Math.min(STEP, left)} more
          </Button>
        </div>
      )}
    </>
  )
}

function ProductLine({ product }: { product: OwnProduct }) {
  const { id, title, description, price, createdAt, isFileMissing, unlistedReason } = product
  const about = isFileMissing ? description : (unlistedReason ?? description)
  return (
    <li>
      <ProductImage product={product} sizes="7.5rem" className="thumb" />
      <div className="line__head">
        <div>
          <h2 className="line__title clamp-3">
            <Link href={`/product/${id}`}>{title}</Link>
          </h2>
          {about && <p className="muted small clamp-1">{about}</p>}
          <p className="muted small">Added {formatDay(createdAt)}</p>
        </div>
        <Price usd={price} className="money" />
      </div>
      <div className="line__foot">
        {unlistedReason ? (
          <Badge look="pending" icon={<EyeOff className="icon" aria-hidden />}>
            {isFileMissing ? FILE_WANTED : NOT_ON_SALE}
          </Badge>
        ) : (
          <Badge look="completed" icon={<Store className="icon" aria-hidden />}>
            Listed
          </Badge>
        )}
        {isFileMissing ? (
          <LinkButton tone="soft" href={`/product/${id}`} aria-label={`Add file to ${title}`}>
            Add file
          </LinkButton>
        ) : (
          <LinkButton tone="quiet" href={`/product/${id}`} aria-label={`View ${title}`}>
            View
          </LinkButton>
        )}
      </div>
    </li>
  )
}

const ProductLineSkeleton = () => (
  <li aria-hidden>
    <Skeleton className="frame thumb" />
    <div className="stack gap-2">
      <Skeleton height="1rem" width="60%" />
      <Skeleton height="1rem" />
      <Skeleton height="0.75rem" width="40%" />
    </div>
    <div className="line__foot">
      <Skeleton className="skeleton--badge" height="1.25rem" width="6rem" />
      <Skeleton height="2.75rem" width="6rem" />
    </div>
  </li>
)

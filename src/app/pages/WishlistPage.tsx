import { Trash2 } from 'lucide-react'
import { plural } from '../../localisation/plural.rules.ts'
import { AddToCartButton } from '../../purchases/AddToCartButton.tsx'
import { CartLineSkeleton } from '../../cart/CartLine.tsx'
import { ProductPrice } from '../../catalogue/price/ProductPrice.tsx'
import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { unsave, useWishlist } from '../../catalogue/wishlist/useWishlist.ts'
import type { Saved } from '../../catalogue/wishlist/wishlist.contract.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Link, BrowseProducts } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'

export function WishlistPage() {
  const { data: list, isPending, isError, refetch } = useWishlist()
  return (
    <div className="section gap-4">
      <PageHead
        title="My Wishlist"
        about={isPending || isError ? undefined : `${plural(list.length, 'product')} saved`}
      />
      {isPending ? (
        <ul className="items" aria-busy>
          {[1, 2, 3].map((n) => (
            <CartLineSkeleton key={n} />
          ))}
        </ul>
      ) : !list ? (
        <ErrorState title="Couldn’t load your wishlist" onRetry={refetch} />
      ) : list.length === 0 ? (
        <div className="card">
          <EmptyState scene="shelf" title="Nothing saved yet" action={<BrowseProducts />}>
            Press the heart on a product to save it for later.
          </EmptyState>
        </div>
      ) : (
        <ul className="items">
          {list.map((product) => (
            <SavedLine key={product.id} product={product} />
          ))}
        </ul>
      )}
    </div>
  )
}

function SavedLine({ product }: { product: Saved }) {
  const { id, title, description, isActive, savedAt } = product
  return (
    <li className={isActive ? '' : 'is-off'}>
      <ProductImage product={product} sizes="84px" className="thumb thumb--sm" />
      <div className="item__text">
        <h2 className="item__title clamp-2">{isActive ? <Link href={`/product/${id}`}>{title}</Link> : title}</h2>
        {isActive ? (
          description && <p className="muted small clamp-1">{description}</p>
        ) : (
          <p className="item__off small">Not for sale right now.</p>
        )}
        <p className="muted small">Saved {formatDay(savedAt)}</p>
        <ProductPrice product={product} className="money" />
      </div>
      <div className="item__do">
        {isActive && <AddToCartButton product={product} />}
        <IconButton
          label={`Remove ${title}`}
          icon={<Trash2 className="icon" aria-hidden />}
          onClick={() => void unsave(product)}
        />
      </div>
    </li>
  )
}

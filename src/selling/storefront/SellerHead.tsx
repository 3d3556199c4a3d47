import './storefront.css'
import { Star } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { widthsOf } from '../../catalogue/covers/ProductImage.tsx'
import { describeRated } from '../../catalogue/rated.rules.ts'
import { Avatar } from '../../identity/accounts/Avatar.tsx'
import { formatDay } from '../../localisation/dates.rules.ts'
import { namesOf } from './seller.rules.ts'
import type { Seller, SellerDesign } from './storefront.contract.ts'

type SellerHeadProps = {
  seller: Pick<Seller, 'name' | 'avatarUrl' | 'rated' | 'since'>
  title: ReactNode
  actions?: ReactNode
}

/** Picture, name and rating of a seller. */
export const SellerHead = ({ seller: { name, avatarUrl, rated, since }, title, actions }: SellerHeadProps) => (
  <div className="row">
    <Avatar user={{ ...namesOf(name), profileImageUrl: avatarUrl }} />
    <div className="grow grow--column">
      {title}
      <p className="muted small num row seller-facts">
        {rated ? (
          <span className="row row--nowrap gap-1">
            <Star className="icon icon--sm is-full" aria-hidden />
            <span>
              <span className="sr">Rated </span>
              {describeRated(rated)}
            </span>
          </span>
        ) : (
          <span>No reviews yet</span>
        )}
        <span>Selling since {formatDay(since)}</span>
      </p>
    </div>
    {actions}
  </div>
)

const SIZES = '(min-width: 1024px) 60rem, 100vw'

/** The decorative picture above the name. Its box has the mean colour until the picture has loaded. */
export function HeaderPicture({ header: { url, color } }: { header: NonNullable<SellerDesign['header']> }) {
  const [hasFailed, setFailed] = useState(false)
  // a picture that was just chosen has a URL of this browser and one size
  const isStored = url.startsWith('/images/')
  return (
    <span className="maker__picture" style={{ background: color ?? '' }}>
      {!hasFailed && (
        <picture>
          {isStored && <source type="image/avif" srcSet={widthsOf(url, 'avif')} sizes={SIZES} />}
          <img
            src={url}
            {...(isStored && { srcSet: widthsOf(url, 'webp'), sizes: SIZES })}
            width={1280}
            height={426}
            alt=""
            fetchPriority="high"
            decoding="async"
            onError={() => setFailed(true)}
          />
        </picture>
      )}
    </span>
  )
}

import { type ComponentType, type MouseEvent, memo, type ReactNode } from 'react'
import { AutoConverted } from '../localisation/AutoConverted.tsx'
import { Link } from '../ui/Link.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import type { Product } from './catalogue.contract.ts'
import { ProductImage } from './covers/ProductImage.tsx'
import { excerptOf } from './excerpt.rules.ts'
import { ProductPrice } from './price/ProductPrice.tsx'

type ProductCardProps = {
  product: Product
  /** The button of the card. A component, so that React rerenders a card of a long list only when it changes. */
  Action: ComponentType<{ product: Product }>
  level?: 2 | 3
  isLazy?: boolean
  show?: (text: string) => ReactNode
}

const SIZES = '(min-width: 1024px) 18rem, (min-width: 768px) 33vw, 50vw'

export const ProductCard = memo(function ProductCard({
  product,
  Action,
  level = 2,
  isLazy,
  show = (text) => text,
}: ProductCardProps) {
  const Title = `h${level}` as const
  const { id, title, description, isActive } = product
  // a printed cover shows the title too
  const about = description && excerptOf(description, product.imageUrl ? title : `${title} ${title}`)
  return (
    <article className={`product ${isActive ? '' : 'is-off'}`}>
      <ProductImage product={product} sizes={SIZES} isLazy={isLazy} />
      <div className="product__text">
        <Title className="product__title clamp-2">
          <Link href={`/product/${id}`} transition onClick={lift}>
            {show(title)}
          </Link>
        </Title>
        {about && <p className="product__desc clamp-2">{show(about)}</p>}
      </div>
      <div className="product__foot">
        <p>
          <ProductPrice product={product} />
          <AutoConverted />
        </p>
        <Action product={product} />
      </div>
    </article>
  )
})

function lift(event: MouseEvent<HTMLAnchorElement>) {
  const frame = event.currentTarget.closest('.product')?.querySelector<HTMLElement>('.frame')
  if (frame) frame.style.viewTransitionName = 'cover'
}

export const ProductCardSkeleton = () => (
  <div className="product" aria-hidden>
    <Skeleton className="frame" />
    <div className="product__text gap-2">
      <Skeleton height="1rem" width="80%" />
      <Skeleton height="2rem" />
    </div>
    <div className="product__foot">
      <Skeleton height="2.25rem" width="40%" />
      <span className="icon-btn" />
    </div>
  </div>
)

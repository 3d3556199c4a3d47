import { Trash2 } from 'lucide-react'
import { excerptOf } from '../catalogue/excerpt.rules.ts'
import { ProductImage } from '../catalogue/covers/ProductImage.tsx'
import { toCents } from '../kit/money.ts'
import { priceText, usd } from '../localisation/usd.rules.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Link } from '../ui/Link.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { Stepper } from '../ui/form/Stepper.tsx'
import { type CartItem, MAX_QUANTITY } from './cart.contract.ts'
import { lineCents, mostOf } from './cart.rules.ts'
import { removeLine, setQuantity } from './useCart.ts'

const CopiesNote = lazyPart(() => import('./CopiesNote.tsx'), 'CopiesNote')
const LinePrice = lazyPart(() => import('./LinePrice.tsx'), 'LinePrice', <Skeleton height="2.75rem" width="8rem" />)

/** Of title and description, so that a line has one height. */
const MAX_WORDS = 8

export function CartLine({ line, bundle }: { line: CartItem; bundle: string | undefined }) {
  const { product, productId, quantity } = line
  const { isActive, wasPrice, description, parts } = product
  const about = parts?.join(', ') ?? (description && excerptOf(description, product.title, MAX_WORDS))
  const notice = isActive
    ? wasPrice && `It was ${usd(toCents(wasPrice))} when you added it.`
    : product.choiceId
      ? 'It comes in several options. Remove this line to check out.'
      : 'No longer for sale. Remove it to check out.'
  return (
    <li>
      <ProductImage
        product={{ ...product, id: product.coverId ?? productId }}
        sizes="60px"
        className="thumb thumb--sm"
        missing="No Image"
      />
      <div className="item__text">
        <h2 className="item__title clamp-2 wrap-anywhere">
          <Link href={`/product/${productId}`}>{product.title}</Link>
        </h2>
        <p className="item__about small">
          <span className="item__price money">{priceText(lineCents(line))}</span>
          {isActive && about && <span className="muted clamp-1">{about}</span>}
        </p>
      </div>
      <div className="item__do">
        {mostOf(product) > 1 && (
          <Stepper
            label={`Quantity of ${product.title}`}
            value={quantity}
            max={MAX_QUANTITY}
            onChange={(wanted) => void setQuantity(line, wanted)}
          />
        )}
        <IconButton
          label={`Remove ${product.title}`}
          icon={<Trash2 className="icon" aria-hidden />}
          onClick={() => void removeLine(line)}
        />
      </div>
      <div className="item__notes stack gap-2">
        {notice && <p className="item__off small">{notice}</p>}
        {product.choiceId && (
          <Link href={`/product/${product.choiceId}`} className="link">
            Choose an option
          </Link>
        )}
        {product.suggested && product.least && isActive && <LinePrice line={line} />}
        {(product.owned || bundle || (product.isOneEnough && quantity > 1)) && (
          <CopiesNote {...{ quantity, product, bundle }} onOne={() => void setQuantity(line, 1)} />
        )}
      </div>
    </li>
  )
}

export const CartLineSkeleton = () => (
  <li aria-hidden>
    <Skeleton className="frame thumb thumb--sm" />
    <div className="item__text">
      <Skeleton height="1.1rem" width="60%" />
      <Skeleton height="1.1rem" width="80%" />
    </div>
    <div className="item__do">
      <Skeleton height="2.75rem" width="8rem" />
    </div>
  </li>
)

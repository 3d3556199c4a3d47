import { ProductImage } from '../catalogue/covers/ProductImage.tsx'
import { toCents } from '../kit/money.ts'
import { priceText, usd } from '../localisation/usd.rules.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Button } from '../ui/Button.tsx'
import { Link } from '../ui/Link.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { Stepper } from '../ui/form/Stepper.tsx'
import { type CartItem, MAX_QUANTITY } from './cart.contract.ts'
import { lineCents, mostOf } from './cart.rules.ts'
import { removeLine, setQuantity } from './useCart.ts'

const CopiesNote = lazyPart(() => import('./CopiesNote.tsx'), 'CopiesNote')
const LinePrice = lazyPart(() => import('./LinePrice.tsx'), 'LinePrice', <Skeleton height="2.75rem" width="8rem" />)

export function CartLine({ line, bundle }: { line: CartItem; bundle: string | undefined }) {
  const { product, productId, quantity } = line
  const { isActive, wasPrice, description, parts } = product
  const notice = isActive
    ? wasPrice && `It was ${usd(toCents(wasPrice))} when you added it.`
    : product.choiceId
      ? 'It comes in several options. Remove this line to check out.'
      : 'No longer for sale. Remove it to check out.'
  return (
    <li>
      <ProductImage
        product={{ ...product, id: product.coverId ?? productId }}
        sizes="7.5rem"
        className="thumb"
        missing="No Image"
      />
      <div className="line__head">
        <div>
          <h2 className="line__title wrap-anywhere">
            <Link href={`/product/${productId}`}>{product.title}</Link>
          </h2>
          {isActive && (parts?.join(', ') ?? description) && (
            <p className="muted small clamp-1">{parts?.join(', ') ?? description}</p>
          )}
          {notice && <p className="line__off small">{notice}</p>}
          {product.choiceId && (
            <Link href={`/product/${product.choiceId}`} className="link">
              Choose an option
            </Link>
          )}
        </div>
        <span className="line__price">
          <span className="money">{priceText(lineCents(line))}</span>
          {product.suggested && product.least && isActive && <LinePrice line={line} />}
        </span>
      </div>
      <div className="line__foot">
        {(product.owned || bundle || (product.isOneEnough && quantity > 1)) && (
          <CopiesNote {...{ quantity, product, bundle }} onOne={() => void setQuantity(line, 1)} />
        )}
        {mostOf(product) > 1 && (
          <Stepper
            label={`Quantity of ${product.title}`}
            value={quantity}
            max={MAX_QUANTITY}
            onChange={(wanted) => void setQuantity(line, wanted)}
          />
        )}
        <Button tone="quiet" aria-label={`Remove ${product.title}`} onClick={() => void removeLine(line)}>
          Remove
        </Button>
      </div>
    </li>
  )
}

export const CartLineSkeleton = ({ foot = '8rem' }: { foot?: string }) => (
  <li aria-hidden>
    <Skeleton className="frame thumb" />
    <div className="stack gap-2">
      <Skeleton height="1rem" width="60%" />
      <Skeleton height="0.75rem" />
    </div>
    <div className="line__foot">
      <Skeleton height="2.75rem" width={foot} />
    </div>
  </li>
)

import { CartLine, CartLineSkeleton } from '../cart/CartLine.tsx'
import { cartCents } from '../cart/cart.rules.ts'
import { OrderSummary } from '../cart/OrderSummary.tsx'
import { clearLines, useCart } from '../cart/useCart.ts'
import { PayButtons } from '../checkout/PayButtons.tsx'
import { toDecimal } from '../kit/money.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { LinkButton } from '../ui/Link.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

/** What the customer is about to buy. */
export function CartPage() {
  const { items, isPending, hasError, isFetching, refetch } = useCart()
  const cents = cartCents(items)
  const count = isPending || hasError ? undefined : `${items.length} item(s) in your cart`
  return (
    <div className="section gap-6">
      <PageHead
        title="Shopping Cart"
        about={count}
        action={
          items.length > 0 && (
            <Button tone="quiet" onClick={() => void clearLines(items)}>
              Clear
            </Button>
          )
        }
      />
      {hasError ? (
        <ErrorState title="The cart could not be loaded" onRetry={refetch} isRetrying={isFetching} />
      ) : isPending ? (
        <CartSkeleton />
      ) : items.length === 0 ? (
        <EmptyState
          scene="receipt"
          title="Your cart is empty"
          action={
            <LinkButton tone="primary" href="/categories">
              Browse Products
            </LinkButton>
          }
        >
          Add some products to your cart to get started
        </EmptyState>
      ) : (
        <div className="split">
          <ul className="lines">
            {items.map((line) => (
              <CartLine key={line.productId} line={line} />
            ))}
          </ul>
          <aside className="split__side" aria-label="Order Summary">
            <OrderSummary cents={cents}>
              <PayButtons
                items={items.map(({ productId, quantity, product: { price } }) => ({ productId, quantity, price }))}
                total={toDecimal(cents)}
              />
            </OrderSummary>
          </aside>
        </div>
      )}
    </div>
  )
}

const CartSkeleton = () => (
  <div className="split" role="status" aria-label="Loading the cart">
    <ul className="lines">
      <CartLineSkeleton />
      <CartLineSkeleton />
      <CartLineSkeleton />
    </ul>
    <div className="split__side">
      <div className="card stack p-5">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-13 w-full" />
        <Skeleton className="h-13 w-full" />
      </div>
    </div>
  </div>
)

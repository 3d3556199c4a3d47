import { CartLine, CartLineSkeleton } from '../../cart/CartLine.tsx'
import { clearLines, useCart } from '../../cart/useCart.ts'
import { useOrders } from '../../orders/useOrders.ts'
import { useCredit } from '../../payments/useCredit.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { BrowseProducts } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useSettled } from '../../ui/useSettled.ts'
import { CartCheckout } from './CartCheckout.tsx'
import { WaitingOrder } from '../../orders/WaitingOrder.tsx'

/** Longest wait for the orders, in milliseconds. */
const PATIENCE_MS = 800

export function CartPage() {
  const { items, isPending, hasError, refetch } = useCart()
  const credit = useCredit()
  const orders = useOrders()
  const isLate = useSettled(true, PATIENCE_MS, false)
  // renders everything at once, because the notice of a waiting order would push the lines down
  const isReading = isPending || credit.isLoading || (orders.isPending && orders.isFetching && !isLate)
  const count = isReading || hasError ? undefined : `${items.length} item(s) in your cart`
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
      {!isReading && <WaitingOrder />}
      {isReading ? (
        <CartSkeleton />
      ) : hasError ? (
        <ErrorState title="Couldn’t load the cart" onRetry={refetch} />
      ) : items.length === 0 ? (
        <EmptyState scene="receipt" title="Your cart is empty" action={<BrowseProducts />}>
          Add some products to your cart to get started
        </EmptyState>
      ) : (
        <div className="split">
          <ul className="lines">
            {items.map((line) => (
              <CartLine key={line.productId} line={line} />
            ))}
          </ul>
          <CartCheckout items={items} credit={credit.data} />
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
      <div className="card stack roomy">
        <Skeleton height="1.5rem" width="10rem" />
        <Skeleton height="6rem" />
        <Skeleton height="3.25rem" />
        <Skeleton height="3.25rem" />
      </div>
    </div>
  </div>
)

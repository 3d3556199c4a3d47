import { useState } from 'react'
import type { CartItem } from '../../cart/cart.contract.ts'
import { bundleWith, cartCents, lineCents } from '../../cart/cart.rules.ts'
import type { CartCodes } from '../../cart/discounts/CartCodes.tsx'
import { CartLine, CartLineSkeleton } from '../../cart/CartLine.tsx'
import { ClearButton } from '../../cart/ClearButton.tsx'
import { useCart } from '../../cart/useCart.ts'
import { OrderSummary } from '../../cart/OrderSummary.tsx'
import { PayButtons } from '../../checkout/PayButtons.tsx'
import { useWaysToPay } from '../../checkout/useWaysToPay.ts'
import { toCents, toDecimal } from '../../kit/money.ts'
import { useOnline } from '../../kit/useOnline.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { waitingQuery } from '../../purchases/orders.query.client.ts'
import { useWaitingOrders } from '../../purchases/useOrders.ts'
import type { Credit } from '../../payments/credit.contract.ts'
import { creditTowards, describeHeld } from '../../payments/credit.rules.ts'
import { methodsQuery, useMethods } from '../../payments/methods/useMethods.ts'
import { creditQuery, useCredit } from '../../payments/useCredit.ts'
import { lazy } from '../../ui/lazy.client.ts'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { BrowseProducts } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useIsLate } from '../../ui/useSettled.ts'
import { WaitingOrder } from '../../purchases/WaitingOrder.tsx'

const codesPart = lazy(() => import('../../cart/discounts/CartCodes.tsx'), 'CartCodes')
const CartBonus = lazyPart(() => import('../../checkout/CartBonus.tsx'), 'CartBonus', <Skeleton height="5.5rem" />)
const PayBar = lazyPart(() => import('../../checkout/PayBar.tsx'), 'PayBar', <div className="paybar" />)

const TIMEOUT_MS = 800

/** From this number of lines on, the payment bar is sticky on phones. */
const MANY_LINES = 3

export const firstView = () => [creditQuery, waitingQuery, methodsQuery]

export function CartPage() {
  const { items, isPending, hasError, refetch } = useCart()
  const { value: codes, failure, retry } = codesPart.useLoaded()
  const isPriced = Boolean(codes) || items.every(({ discount }) => !discount)
  const credit = useCredit()
  const orders = useWaitingOrders()
  const methods = useMethods(true)
  const isLate = useIsLate(TIMEOUT_MS)
  const isOnline = useOnline()
  // Renders everything at once, because the notice of a waiting order would move the lines.
  const isReading =
    isPending ||
    credit.isLoading ||
    (!isPriced && !failure) ||
    (!isLate && (methods.isLoading || (orders.isPending && orders.isFetching)))
  const count = isReading || hasError ? undefined : `${items.length} item(s) in your cart`
  return (
    <div className="section gap-6">
      <PageHead
        title="Shopping Cart"
        about={count}
        action={isOnline && items.length > 0 && <ClearButton items={items} />}
      />
      {!isReading && <WaitingOrder />}
      {isReading ? (
        <CartSkeleton />
      ) : hasError || !isPriced ? (
        <ErrorState title="Couldn’t load the cart" onRetry={hasError ? refetch : retry} />
      ) : items.length === 0 ? (
        <EmptyState scene="receipt" title="Your cart is empty" action={<BrowseProducts />}>
          Add some products to your cart to get started
        </EmptyState>
      ) : (
        <>
          {!isOnline && <p role="status">Your cart as last seen. Change or pay it when you’re back online.</p>}
          <fieldset className="split" disabled={!isOnline}>
            <CartCheckout items={items} credit={credit.data} codes={codes} />
          </fieldset>
        </>
      )}
    </div>
  )
}

type CartCheckoutProps = Pick<ReturnType<typeof useCart>, 'items'> & {
  /** Undefined if it failed to load. The cart then uses no credit. */
  credit: Credit | undefined
  /** Undefined until its script has loaded. The cart then shows no codes. */
  codes: typeof CartCodes | undefined
}

function CartCheckout({ items, credit, codes }: CartCheckoutProps) {
  const [usesCredit, setUsesCredit] = useState(true)
  const cuts = codes?.cutsOf(items) ?? []
  const paidFor = (isWanted: (line: CartItem) => unknown) =>
    items.reduce((sum, line, i) => sum + (isWanted(line) ? lineCents(line) - (cuts[i] ?? 0) : 0), 0)
  const cents = paidFor(() => true)
  const spendable = credit ? toCents(credit.balance) : 0
  const cashCents = paidFor(({ product }) => product.isCash)
  const heldCents = credit?.held ? toCents(credit.held.amount) : 0
  const most = creditTowards(cents, spendable, { cashCents, heldCents })
  const creditCents = usesCredit ? most : 0
  const paid = {
    items: items.map(({ productId, quantity, product: { price } }) => ({ productId, quantity, price })),
    total: toDecimal(cents),
    credit: toDecimal(creditCents),
  }
  const payment = useWaysToPay(paid)
  return (
    <>
      <div>
        <ul className="items">
          {items.map((line) => (
            <CartLine key={line.productId} line={line} bundle={bundleWith(items, line)} />
          ))}
        </ul>
        {items.length >= MANY_LINES && <PayBar payment={payment} />}
      </div>
      <aside className="split__side" aria-label="Order Summary">
        <OrderSummary
          subtotalCents={cartCents(items)}
          cents={cents}
          codes={codes && <codes.Rows items={items} />}
          codeEntry={codes ? <codes.Entry items={items} /> : <Skeleton height="2.75rem" />}
          creditCents={creditCents}
        >
          {spendable > 0 && (
            <Switch
              label="Use store credit"
              hint={`You have ${usd(spendable)}${most < Math.min(cents, spendable) ? `. ${describeHeld(credit!.held!)}` : ''}`}
              isOn={usesCredit}
              onChange={setUsesCredit}
            />
          )}
          <PayButtons items={paid.items} payment={payment} />
          {credit?.bonus && (
            <CartBonus
              items={items}
              cuts={cuts}
              creditCents={creditCents}
              bonus={credit.bonus}
              method={creditCents < cents ? payment.method : undefined}
            />
          )}
        </OrderSummary>
      </aside>
    </>
  )
}

const CartSkeleton = () => (
  <div className="split" role="status" aria-label="Loading the cart">
    <ul className="items">
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

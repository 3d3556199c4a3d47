import { CreditCard, Zap } from 'lucide-react'
import { toCents, toDecimal } from '../kit/money.ts'
import type { Order } from '../orders/orders.contract.ts'
import { Button } from '../ui/Button.tsx'
import { usePayment, useQuickBuy } from './usePayment.ts'

type CartLine = { productId: string; quantity: number; price: string }

/** Quick Buy and the payment provider's button under the cart's summary. `total` is a decimal string in USD. */
export function PayButtons({ items, total }: { items: CartLine[]; total: string }) {
  const { isPlacing, placeNow } = useQuickBuy()
  const { isPaying, pay, mode, savedMethod } = usePayment()
  const isBusy = isPlacing || isPaying
  return (
    <div className="stack">
      <Button
        tone="primary"
        isLarge
        isWide
        icon={<Zap className="icon" aria-hidden />}
        isBusy={isPlacing}
        disabled={isPaying}
        onClick={() => void placeNow({ items, total })}
      >
        Quick Buy
      </Button>
      <Button
        tone="line"
        isLarge
        isWide
        icon={<CreditCard className="icon" aria-hidden />}
        isBusy={isPaying}
        disabled={isPlacing}
        onClick={() => void pay({ amount: total })}
      >
        Pay with PayPal
      </Button>
      <p className="small muted" aria-live="polite">
        {isBusy ? 'Working on your order…' : describeQuickBuy(savedMethod?.label)}
        {mode === 'sandbox' && ' This is the payment sandbox: no money moves.'}
      </p>
    </div>
  )
}

const describeQuickBuy = (label: string | undefined) =>
  label ? `Quick Buy charges ${label}.` : 'Quick Buy keeps your order for 30 minutes; pay it from your orders.'

/** Buys this product in this quantity; the cart stays as it is. */
export function BuyNowButton({
  product,
  quantity,
}: {
  product: { id: string; price: string; isActive: boolean }
  quantity: number
}) {
  const { isPaying, pay } = usePayment()
  const amount = toDecimal(toCents(product.price) * quantity)
  return (
    <Button
      tone="soft"
      isLarge
      isWide
      isBusy={isPaying}
      disabled={!product.isActive}
      onClick={() => void pay({ amount, items: [{ productId: product.id, quantity }] })}
    >
      Buy Now
    </Button>
  )
}

/** Pays an order that still waits for its payment. */
export function FinishPaymentButton({ order }: { order: Pick<Order, 'id' | 'total'> }) {
  const { isPaying, pay } = usePayment()
  return (
    <Button tone="primary" isBusy={isPaying} onClick={() => void pay({ amount: order.total, orderId: order.id })}>
      Finish payment
    </Button>
  )
}

import { toCents, toDecimal } from '../kit/money.ts'
import { ChargedInDollars } from '../localisation/ChargedInDollars.tsx'
import { Button } from '../ui/Button.tsx'
import { usePayment } from './usePayment.ts'

/** A discount code, and what it takes off. */
export type LinkedCode = { code: string; cents: number }

/** Buys this product and leaves the cart alone. */
export function BuyNowButton({
  product,
  quantity,
  discount,
}: {
  product: { id: string; price: string; isActive: boolean }
  quantity: number
  discount: LinkedCode | null
}) {
  const { isPaying, canPay, pay } = usePayment()
  const cents = toCents(product.price) * quantity - (discount?.cents ?? 0)
  const items = [{ productId: product.id, quantity }]
  return (
    <>
      <Button
        tone="soft"
        isLarge
        isWide
        isBusy={isPaying}
        disabled={!product.isActive || !canPay}
        onClick={() => void pay({ amount: toDecimal(cents), items, ...(discount && { discount: discount.code }) })}
      >
        Buy Now
      </Button>
      <ChargedInDollars cents={cents} />
    </>
  )
}

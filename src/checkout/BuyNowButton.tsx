import { toCents, toDecimal } from '../kit/money.ts'
import { ChargedInDollars } from '../localisation/ChargedInDollars.tsx'
import { Button } from '../ui/Button.tsx'
import { usePayment } from './usePayment.ts'

/** Buys this product and leaves the cart alone. */
export function BuyNowButton({
  product,
  quantity,
}: {
  product: { id: string; price: string; isActive: boolean }
  quantity: number
}) {
  const { isPaying, canPay, pay } = usePayment()
  const cents = toCents(product.price) * quantity
  return (
    <>
      <Button
        tone="soft"
        isLarge
        isWide
        isBusy={isPaying}
        disabled={!product.isActive || !canPay}
        onClick={() => void pay({ amount: toDecimal(cents), items: [{ productId: product.id, quantity }] })}
      >
        Buy Now
      </Button>
      <ChargedInDollars cents={cents} />
    </>
  )
}

import { toCents, toDecimal } from '../kit/money.ts'
import { ChargedInDollars } from '../localisation/ChargedInDollars.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { PayButton } from './methods/PayButton.tsx'

const GetFreeButton = lazyPart(() => import('./GetFreeButton.tsx'), 'GetFreeButton', <Skeleton height="3.25rem" />)

export type LinkedCode = { code: string; cents: number }

export function BuyNowButton({
  product: { id: productId, price, isActive },
  quantity,
  discount,
}: {
  product: { id: string; price: string; isActive: boolean }
  quantity: number
  discount: LinkedCode | null
}) {
  const cents = toCents(price) * quantity - (discount?.cents ?? 0)
  const items = [{ productId, quantity, price }]
  if (cents === 0) return <GetFreeButton items={items} discount={discount?.code} isDisabled={!isActive} />
  return (
    <>
      <PayButton
        label="Buy Now"
        look={{ tone: 'soft', isLarge: true, isWide: true }}
        isDisabled={!isActive}
        purchase={{ amount: toDecimal(cents), items, ...(discount && { discount: discount.code }) }}
      />
      <ChargedInDollars cents={cents} />
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { CircleAlert, Tag } from 'lucide-react'
import { useEffect } from 'react'
import { applyDiscount } from '../cart/discounts/discount.contract.ts'
import { shareDiscount } from '../cart/discounts/discount.rules.ts'
import type { Product, ProductDetail } from '../catalogue/catalogue.contract.ts'
import { call } from '../kit/call.client.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import { toCents } from '../kit/money.ts'
import { usd } from '../localisation/usd.rules.ts'
import { Note } from '../ui/Note.tsx'
import type { LinkedCode } from './BuyNowButton.tsx'

type LinkedDiscountProps = {
  code: string
  product: Product
  file: ProductDetail['file'] | undefined
  price: string
  quantity: number
  onChange: (linked: LinkedCode | null) => void
}

export function LinkedDiscount({ code, product, file, price, quantity, onChange }: LinkedDiscountProps) {
  const { id: productId } = product
  const { data, error } = useQuery({
    queryKey: [applyDiscount.line, code, productId],
    queryFn: () => call(applyDiscount, { code, productId }),
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
  const discount = data?.discount
  const cents = toCents(price) * quantity
  const leastCents = (product.suggested ? toCents(product.price) : file ? 0 : 1) * quantity
  const terms = discount && { ...discount, amountCents: discount.amount === null ? null : toCents(discount.amount) }
  const cut = terms ? shareDiscount([{ cents, leastCents }], terms)[0]! : 0
  useEffect(() => onChange(discount ? { code: discount.code, cents: cut } : null), [discount, cut, onChange])
  if (error) {
    const why = reasonOf(error, isRefusal) ?? 'We couldn’t check it. Reload the page to try again.'
    return (
      <Note Icon={CircleAlert} title={`${code.toUpperCase()} takes nothing off`}>
        {why}
      </Note>
    )
  }
  return (
    <Note Icon={Tag} title={discount ? `${discount.code} applied` : `Checking ${code.toUpperCase()}…`}>
      {discount ? `You pay ${usd(cents - cut)} instead of ${usd(cents)}.` : 'One moment.'}
    </Note>
  )
}

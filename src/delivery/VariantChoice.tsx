import { useEffect } from 'react'
import type { ProductDetail, Variant } from '../catalogue/catalogue.contract.ts'
import { VariantPicker } from '../catalogue/variants/VariantPicker.tsx'
import { SoldOut } from './codes/SoldOut.tsx'

type VariantChoiceProps = {
  detail: ProductDetail
  /** The id in the address, which may be that of a variant. */
  wantedId: string
  chosen: Variant | null
  onChoose: (variant: Variant) => void
}

/** What a shopper chooses of a product with variants. */
export function VariantChoice({ detail, wantedId, chosen, onChoose }: VariantChoiceProps) {
  const { variants = [] } = detail
  useEffect(() => {
    const first = variants.find(({ id }) => id === wantedId) ?? variants.find(({ isActive }) => isActive) ?? variants[0]
    if (!chosen && first) onChoose(first)
  })
  return (
    <>
      <VariantPicker variants={variants} chosenId={chosen?.id} onChoose={onChoose} />
      {chosen?.isOutOfStock && !detail.isMine && <SoldOut key={chosen.id} productId={chosen.id} />}
    </>
  )
}

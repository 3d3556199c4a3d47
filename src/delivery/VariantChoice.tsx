import { useEffect } from 'react'
import type { ProductDetail, Variant } from '../catalogue/catalogue.contract.ts'
import { VariantPicker } from '../catalogue/variants/VariantPicker.tsx'
import { SoldOut } from './codes/SoldOut.tsx'

type VariantChoiceProps = {
  detail: ProductDetail
  /** The id in the URL, which may be the id of a variant. */
  wantedId: string
  chosen: Variant | null
  onChoose: (variant: Variant) => void
}

export function VariantChoice({ detail, wantedId, chosen, onChoose }: VariantChoiceProps) {
  const { variants = [] } = detail
  useEffect(() => {
    const first = variants.find(({ id }) => id === wantedId) ?? variants.find(({ isActive }) => isActive) ?? variants[0]
    if (!chosen && first) onChoose(first)
  })
  const wanted = chosen ?? detail
  return (
    <>
      {variants.length > 0 && <VariantPicker variants={variants} chosenId={chosen?.id} onChoose={onChoose} />}
      {wanted.isOutOfStock && <SoldOut key={wanted.id} productId={wanted.id} />}
    </>
  )
}

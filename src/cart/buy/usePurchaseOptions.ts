import { useState } from 'react'
import type { Product, Variant } from '../../catalogue/catalogue.contract.ts'
import { toCents } from '../../kit/money.ts'

/** The buyer's choices: variant, number of copies, and a price if the seller lets buyers choose it. */
export function usePurchaseOptions(whole: Product) {
  const [variant, setVariant] = useState<Variant | null>(null)
  const product = variant ? { ...whole, ...variant, most: null } : whole
  const { suggested } = product
  const [copies, setQuantity] = useState(1)
  /** Empty while the typed price is invalid. */
  const [chosen, setChosen] = useState(suggested)
  const price = (suggested ? chosen : null) ?? product.price
  const isFree = price !== '' && toCents(price) === 0
  const shown = {
    ...product,
    price: price || product.price,
    isActive: product.isActive && !product.most && price !== '',
  }
  return { product, variant, setVariant, quantity: isFree ? 1 : copies, setQuantity, price, setChosen, isFree, shown }
}

export type PurchaseOptions = ReturnType<typeof usePurchaseOptions>

import type { ProductDetail } from './catalogue.contract.ts'

/** The public answer is shared, so the browser finds out whether the member sells the product. */
export const asSeenBy = (userId: string | undefined, detail: ProductDetail): ProductDetail => ({
  ...detail,
  isMine: detail.isMine || detail.sellerId === userId,
})

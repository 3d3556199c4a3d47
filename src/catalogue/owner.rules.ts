import type { ProductDetail } from './catalogue.contract.ts'

/** One answer serves everybody, so the browser finds out whether the product is the customer's own. */
export const asSeenBy = (userId: string | undefined, detail: ProductDetail): ProductDetail => ({
  ...detail,
  isMine: detail.isMine || detail.sellerId === userId,
})

import type { ProductDetail } from './catalogue.contract.ts'

/** Sets `isMine` in the browser, because the public response is shared. */
export const asSeenBy = (userId: string | undefined, detail: ProductDetail): ProductDetail => ({
  ...detail,
  isMine: detail.isMine || detail.sellerId === userId,
})

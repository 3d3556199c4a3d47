/** A purchase: items of a product page or a pending order. Store credit pays the amount `credit`. */
export type Bought = { amount: string; discount?: string } & (BoughtItems | { orderId: string; credit: string })
type BoughtItems = { items: { productId: string; quantity: number; price: string }[] }

export const toStart = ({ amount, discount, ...what }: Bought) => ({
  amount,
  ...(discount && { discount }),
  ...('items' in what ? { items: what.items } : { orderId: what.orderId }),
})

/** What a press on a page buys: items of a product page, or an order that waits. `credit` is the part that store credit pays. */
export type Bought = { amount: string; discount?: string } & (BoughtItems | { orderId: string; credit: string })
type BoughtItems = { items: { productId: string; quantity: number; price: string }[] }

export const toStart = ({ amount, discount, ...what }: Bought) => ({
  amount,
  ...(discount && { discount }),
  ...('items' in what ? { items: what.items } : { orderId: what.orderId }),
})

import { addProduct } from './goods.ts'
import type { Person, TestShop } from './shop.ts'
import {
  addDiscount,
  changeDiscount,
  type DiscountWords,
  getOwnDiscount,
} from '../src/cart/discounts/ownDiscounts.contract.ts'

export const CODE: DiscountWords = {
  code: 'QUIETWEEK',
  percent: 20,
  amount: null,
  productIds: null,
  isFirstOnly: false,
  startsAt: null,
  endsAt: null,
  mostUses: null,
  mostPerBuyer: null,
}

/** Adds a product that this member sells. */
export async function sellProduct(shop: TestShop, seller: Person, given: Parameters<typeof addProduct>[1] = {}) {
  const product = await addProduct(shop, given)
  await shop.database.pool.query('UPDATE products SET seller_id = $1 WHERE id = $2', [seller.id, product.id])
  return product
}

/** Creates a seller with a product of $10.00 and a discount code of 20 %. */
export async function openSeller(shop: TestShop, change: Partial<DiscountWords> = {}, price = '10.00') {
  const seller = await shop.join({ firstName: 'Sally' })
  const product = await sellProduct(shop, seller, { price })
  const code = await seller.call(addDiscount, { ...CODE, ...change })
  return { seller, product, code }
}

/** Edits the saved version of a code. */
export async function editCode(seller: Person, id: string, change: Partial<DiscountWords> = {}) {
  const { version } = await seller.call(getOwnDiscount, { id })
  return seller.call(changeDiscount, { ...CODE, id, version, ...change })
}

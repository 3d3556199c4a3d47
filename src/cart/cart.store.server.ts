import type pg from 'pg'
import type { Buyable } from '../catalogue/catalogue.server.ts'
import type { Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { toDecimal } from '../kit/money.ts'
import { type CartItem, MAX_CART_LINES, MAX_QUANTITY } from './cart.contract.ts'
import * as statements from './cart.statements.server.ts'

export type CartLine = { productId: string; quantity: number; priceCents: number }
type ReturnedLine = CartLine & { bundleId: string | null }

export const FULL = new Failure(409, `A cart can hold up to ${MAX_CART_LINES} products.`, 'cart_full')

export async function readCart(pool: pg.Pool, userId: string): Promise<CartItem[]> {
  const [found] = await statements.hasLines(pool, { userId })
  return found?.hasLines ? toCart(pool, userId, await statements.readCart(pool, { userId })) : []
}

/** Converts rows to cart items. Queries owned copies only for a cart that may contain some, because few carts do. */
export async function toCart(pool: pg.Pool, userId: string, rows: statements.ReadCartRow[]): Promise<CartItem[]> {
  const found = rows.some(({ ownsSome }) => ownsSome) ? await statements.findOwned(pool, { userId }) : []
  const owned = Map.groupBy(found, ({ id }) => id)
  return rows.map((row) => toItem(row, owned.get(row.id)?.map(({ title }) => title) ?? null))
}

const decimalOrNull = (cents: number | null) => (cents === null ? null : toDecimal(cents))

const toItem = (row: statements.ReadCartRow, owned: string[] | null): CartItem => ({
  id: row.id,
  productId: row.productId,
  quantity: row.quantity,
  addedAt: row.createdAt.toISOString(),
  product: {
    price: toDecimal(row.unitCents),
    suggested: decimalOrNull(row.suggestedCents),
    least: toDecimal(row.minCents),
    title: row.title,
    description: row.brief,
    categoryId: row.categoryId,
    isActive: row.isOnSale,
    choiceId: row.choiceId,
    isOneEnough: row.isOneEnough,
    owned,
    isOwn: row.isOwn,
    isCash: row.isCash,
    parts: row.partTitles,
    onceIds: row.onceIds,
    earns: row.earnsBonus,
    wasPrice: row.addedCents === row.unitCents ? null : decimalOrNull(row.addedCents),
    imageUrl: row.imageObjectId && `/images/${row.imageObjectId}/640.webp`,
    coverId: row.variantOf,
  },
  discount: toDiscount(row),
})

const toDiscount = (row: statements.ReadCartRow): CartItem['discount'] =>
  row.discountId === null || row.discountCode === null
    ? null
    : {
        id: row.discountId,
        code: row.discountCode,
        percent: row.discountPercent,
        amount: decimalOrNull(row.discountCents),
        problem: row.discountProblem,
      }

/** `addedAt` determines the position of a line. */
type TakenCart = { lines: (CartLine & { product: Buyable; addedAt: Date })[]; discountIds: string[] }

/**
 * Deletes all lines and returns them in the order of `findBuyable`. Locks the products until the transaction ends. A
 * concurrent checkout waits for the lines and finds an empty cart. Also deletes the discount codes of the sellers.
 */
export async function takeCart(tx: Tx, userId: string): Promise<TakenCart> {
  const rows = await statements.takeLines(tx, { userId })
  const lines = rows.map(({ quantity, cents, addedAt, discountIds: _, ...product }) => {
    return { productId: product.id, quantity, priceCents: cents, addedAt, product }
  })
  return { lines, discountIds: rows[0]?.discountIds ?? [] }
}

/** Groups order lines by cart line: the lines of a bundle become one line again. */
function gather(lines: ReturnedLine[]) {
  const groups = [...Map.groupBy(lines, (line) => line.bundleId ?? line.productId)]
  return {
    productIds: groups.map(([productId]) => productId),
    quantities: groups.map(([, same]) => same[0]?.quantity ?? 0),
    cents: groups.map(([, same]) => same.reduce((sum, { priceCents }) => sum + priceCents, 0)),
  }
}

/** Restores lines in their order after a failed payment, and adds their quantities to existing lines. */
export async function returnToCart(tx: Tx, userId: string, lines: ReturnedLine[]) {
  if (lines.length > 0) await statements.restoreLines(tx, { userId, ...gather(lines), maxQuantity: MAX_QUANTITY })
}

/** Undoes `returnToCart` if the order completes later. */
export async function takeFromCart(tx: Tx, userId: string, lines: ReturnedLine[]) {
  await statements.removeRestored(tx, { userId, ...gather(lines) })
}

type WantedLine = { productId: string; quantity: number; priceCents: number | null }

/** Adds lines and returns the products that are in the cart now. Throws a 409 Failure if they do not all fit. */
export async function ensureLines(tx: Tx, userId: string, lines: WantedLine[]): Promise<Set<string>> {
  const added = await statements.ensureLines(tx, {
    userId,
    productIds: lines.map(({ productId }) => productId),
    quantities: lines.map(({ quantity }) => quantity),
    cents: lines.map(({ priceCents }) => priceCents),
  })
  const [counted] = await statements.countLines(tx, { userId })
  if (added.length > 0 && counted && counted.lines > MAX_CART_LINES) throw FULL
  return new Set(added.map(({ productId }) => productId))
}

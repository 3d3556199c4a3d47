import type { Buyable } from '../../catalogue/catalogue.server.ts'
import type { Tx } from '../../kit/database.server.ts'
import type { NewOrder } from '../../orders/orders.store.server.ts'
import { lockParts, type LockPartsRow } from './bundleParts.statements.server.ts'
import { shareOfBundle } from './bundle.rules.ts'
import type { PricedLine } from '../place.rules.ts'
import { required } from '../../kit/values/required.ts'

// Splits a bundle into lines of its parts when an order is placed. The lines store the id of the bundle.

type Part = LockPartsRow

export async function findParts(tx: Tx, products: Buyable[]): Promise<Map<string, Part[]>> {
  const ids = products.filter(({ delivery }) => delivery === 'bundle').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const rows = await lockParts(tx, { ids })
  return Map.groupBy(
    rows.sort((a, b) => a.position - b.position),
    ({ bundleId }) => bundleId,
  )
}

/** Checks that all parts are on sale. A part may leave the shop while the bundle is being read. */
export const isWhole = (parts: Part[] | undefined): boolean => parts?.every(({ isOnSale }) => isOnSale) ?? true

export const freezeLines = (
  priced: PricedLine[],
  byId: Map<string, Buyable>,
  parts: Map<string, Part[]>,
): NewOrder['lines'] =>
  priced.flatMap<NewOrder['lines'][number]>((line) => {
    const { productId, quantity, priceCents, discountCents, title } = line
    const { sellerId, delivery, fileId, moreFileIds } = required(byId.get(productId), 'an entry')
    if (delivery !== 'bundle') {
      const alone = { bundleId: null, bundleTitle: null }
      return [
        { productId, quantity, priceCents, discountCents, title, sellerId, delivery, fileId, moreFileIds, ...alone },
      ]
    }
    const own = parts.get(productId)!
    const shares = shareOfBundle(line, own)
    return own.map((part, i) => ({
      ...{
        productId: part.id,
        quantity,
        ...required(shares[i], 'an entry of shares'),
        title: part.title,
        sellerId: part.sellerId,
      },
      ...{ delivery: part.delivery, fileId: part.fileId, moreFileIds: part.moreFileIds },
      ...{ bundleId: productId, bundleTitle: title },
    }))
  })

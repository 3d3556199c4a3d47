import { sql } from 'kysely'
import { PART_CENTS } from '../../catalogue/bundles/parts.sql.server.ts'
import type { Buyable } from '../../catalogue/catalogue.server.ts'
import type { Tx } from '../../kit/database.server.ts'
import type { NewOrder } from '../../orders/orders.store.server.ts'
import { shareOfBundle } from './bundle.rules.ts'
import type { PricedLine } from '../place.rules.ts'
import { required } from '../../kit/values/required.ts'

// A bundle turns into lines when its order is placed. From then on its parts are ordinary lines, which name the bundle.

type Part = {
  bundleId: string
  id: string
  title: string
  listCents: number
  sellerId: string
  delivery: Exclude<Buyable['delivery'], 'bundle'>
  fileId: string | null
  moreFileIds: string[]
  isOnSale: boolean
}

export async function findParts(tx: Tx, products: Buyable[]): Promise<Map<string, Part[]>> {
  const ids = products.filter(({ delivery }) => delivery === 'bundle').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  // the locks in order of product, as everywhere
  const { rows } = await sql<Part & { position: number }>`
    SELECT k.bundle_id, k.position, q.id, q.title, (${sql.raw(PART_CENTS)})::float8 AS list_cents, q.seller_id, q.delivery,
      sold_file(q) AS file_id, sold_more_files(q) AS more_file_ids, q.is_on_sale
    FROM bundle_parts k JOIN products q ON q.id = k.product_id WHERE k.bundle_id = ANY (${ids}::uuid[])
    ORDER BY q.id FOR SHARE OF q`.execute(tx)
  return Map.groupBy(
    rows.sort((a, b) => a.position - b.position),
    ({ bundleId }) => bundleId,
  )
}

/** A part may have gone off sale while the bundle was being read. */
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

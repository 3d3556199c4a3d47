import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { isDisputed, isGoingBack } from '../entitlements.server.ts'
import type { KindLine } from '../kindOfGoods.server.ts'
import { prefixOf } from './key.rules.ts'
import type { LicenseState } from './ownedLicense.contract.ts'
import type { LicenseVault } from './vault.server.ts'

/** Writes a key for each line, once. The terms are those of the product at this moment. */
export async function issueLicenses(tx: Tx, vault: LicenseVault, lines: KindLine[]) {
  const quantities = new Map(lines.map(({ id, quantity }) => [id, quantity]))
  const bought = await tx
    .selectFrom('entitlements')
    .innerJoin('products', 'products.id', 'entitlements.productId')
    .leftJoin('licenseTerms', 'licenseTerms.productId', 'products.id')
    .select([
      ...(['entitlements.orderLineId', 'entitlements.userId', 'entitlements.productId', 'products.title'] as const),
      ...(['licenseTerms.prefix', 'licenseTerms.devicesPerSeat', 'licenseTerms.validDays'] as const),
    ])
    .where('entitlements.orderLineId', 'in', [...quantities.keys()])
    .execute()
  const rows = bought.map(({ orderLineId, userId, productId, title, prefix, devicesPerSeat, validDays }) => {
    const id = randomUUID()
    const terms = termsOf({ title, prefix, devicesPerSeat, validDays })
    return {
      ...{ id, orderLineId, userId, productId, seats: quantities.get(orderLineId)! },
      ...vault.make(id, terms.prefix),
      devicesPerSeat: terms.devicesPerSeat,
      expiresAt: terms.validDays === null ? null : sql<Date>`now() + ${terms.validDays} * interval '1 day'`,
    }
  })
  await tx
    .insertInto('licenses')
    .values(rows)
    .onConflict((conflict) => conflict.column('orderLineId').doNothing())
    .execute()
}

type StoredTerms = { prefix: string | null; devicesPerSeat: number | null; validDays: number | null }

/** What holds for a product, also for one whose seller chose nothing. */
export const termsOf = ({ title, prefix, devicesPerSeat, validDays }: StoredTerms & { title: string }) => ({
  prefix: prefix ?? prefixOf(title),
  devicesPerSeat: devicesPerSeat ?? 3,
  validDays,
})

/**
 * Takes seats back with their devices: those go first that were not seen for the longest time. A key without seats has
 * ended.
 */
export async function takeSeats(tx: Tx, lines: KindLine[]) {
  for (const { id, quantity } of lines) {
    const license = await tx
      .updateTable('licenses')
      .set({ seats: sql`greatest(seats - ${quantity}, 0)` })
      .where('orderLineId', '=', id)
      .returning(['id', sql<number>`seats * devices_per_seat`.as('limit')])
      .executeTakeFirst()
    if (!license) continue
    const kept = tx
      .selectFrom('licenseDevices')
      .select('id')
      .where('licenseId', '=', license.id)
      .orderBy('seenAt', 'desc')
      .orderBy('id')
      .limit(license.limit)
    await tx.deleteFrom('licenseDevices').where('licenseId', '=', license.id).where('id', 'not in', kept).execute()
  }
}

export type FoundLicense = {
  id: string
  productId: string
  orderId: string
  orderLineId: string
  entitlementId: string
  userId: string
  prefix: string
  ending: string
  ciphertext: Buffer
  keyHash: Buffer
  seats: number
  used: number
  limit: number
  state: LicenseState
  expiresAt: Date | null
  revokeReason: string | null
  createdAt: Date
}

const STATE = sql<LicenseState>`CASE
  WHEN entitlements.revoked_at IS NOT NULL OR licenses.seats = 0 OR orders.status <> 'completed' THEN 'ended'
  WHEN ${isGoingBack} OR ${isDisputed} THEN 'frozen'
  WHEN licenses.revoked_at IS NOT NULL THEN 'revoked'
  WHEN licenses.expires_at <= now() THEN 'expired'
  ELSE 'active' END`

const allLicenses = (db: Db | Tx) =>
  db
    .selectFrom('licenses')
    .innerJoin('orderLines', 'orderLines.id', 'licenses.orderLineId')
    .innerJoin('orders', 'orders.id', 'orderLines.orderId')
    .innerJoin('entitlements', 'entitlements.orderLineId', 'licenses.orderLineId')
    .select([
      ...(['licenses.id', 'licenses.productId', 'licenses.orderLineId', 'licenses.userId'] as const),
      ...(['licenses.prefix', 'licenses.ending', 'licenses.ciphertext', 'licenses.keyHash', 'licenses.seats'] as const),
      ...(['licenses.expiresAt', 'licenses.revokeReason', 'licenses.createdAt'] as const),
      ...(['orderLines.orderId', 'entitlements.id as entitlementId'] as const),
      sql<number>`(SELECT count(*)::int FROM license_devices d WHERE d.license_id = licenses.id)`.as('used'),
      sql<number>`licenses.seats * licenses.devices_per_seat`.as('limit'),
      STATE.as('state'),
    ])

/** The licence of a key that software of a product sent. */
export const findByKey = (
  db: Db | Tx,
  { productId, keyHash }: { productId: string; keyHash: Buffer },
): Promise<FoundLicense | undefined> =>
  allLicenses(db).where('licenses.keyHash', '=', keyHash).where('licenses.productId', '=', productId).executeTakeFirst()

/** Makes calls that change the devices of a key run one after another. Read the licence after it. */
export const lockKey = (tx: Tx, keyHash: Buffer) =>
  tx.selectFrom('licenses').select('id').where('keyHash', '=', keyHash).forUpdate().execute()

type OwnLine = { userId: string; orderId: string; lineId: string }

/** The licence of a line of the buyer. */
export const findOwned = (db: Db | Tx, { userId, orderId, lineId }: OwnLine): Promise<FoundLicense | undefined> =>
  allLicenses(db)
    .where('licenses.orderLineId', '=', lineId)
    .where('orderLines.orderId', '=', orderId)
    .where('orders.userId', '=', userId)
    .executeTakeFirst()

type Wanted = { licenseId?: string; keyHash?: Buffer; orderNumber?: { text: string; isWhole: boolean }; after?: string }

/** Licences of a product that were sold, newest first. */
export const findSold = (
  db: Db | Tx,
  productId: string,
  { licenseId, keyHash, orderNumber, after }: Wanted,
  limit: number,
): Promise<FoundLicense[]> =>
  allLicenses(db)
    .where('licenses.productId', '=', productId)
    .$if(licenseId !== undefined, (query) => query.where('licenses.id', '=', licenseId!))
    .$if(keyHash !== undefined, (query) => query.where('licenses.keyHash', '=', keyHash!))
    .$if(orderNumber?.isWhole === true, (query) => query.where('orders.id', '=', orderNumber!.text))
    .$if(orderNumber?.isWhole === false, (query) => query.where(sql`right(orders.id::text, 8)`, '=', orderNumber!.text))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(licenses.created_at, licenses.id) < (SELECT a.created_at, a.id FROM licenses a WHERE a.id = ${after}::uuid)`,
      ),
    )
    .orderBy('licenses.createdAt', 'desc')
    .orderBy('licenses.id', 'desc')
    .limit(limit)
    .execute()

/** Sets or clears the seller's revocation. Answers false if the key stands so already. */
export async function setRevoked(tx: Tx, id: string, reason: string | null): Promise<boolean> {
  const changed = await tx
    .updateTable('licenses')
    .set({ revokedAt: reason === null ? null : now, revokeReason: reason })
    .where('id', '=', id)
    .where('revokedAt', reason === null ? 'is not' : 'is', null)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

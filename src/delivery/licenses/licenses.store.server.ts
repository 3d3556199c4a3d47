import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { isDisputed, isGoingBack } from '../entitlements.server.ts'
import { lockPaidOrder } from '../gate.server.ts'
import type { KindLine } from '../kindOfGoods.server.ts'
import { keepDevices } from './devices.store.server.ts'
import { prefixOf } from './key.rules.ts'
import type { LicenseState } from './ownedLicense.contract.ts'
import type { LicenseVault } from './vault.server.ts'
import { required } from '../../kit/values/required.ts'

/** Writes a key for each line, once. The terms are those of the moment when the order was placed. */
export async function issueLicenses(tx: Tx, vault: LicenseVault, lines: KindLine[]) {
  const quantities = new Map(lines.map(({ id, quantity }) => [id, quantity]))
  const { rows: bought } = await sql<BoughtLine>`
    SELECT e.order_line_id, e.user_id, e.product_id, p.title, t.prefix, t.devices_per_seat, t.valid_days
    FROM entitlements e JOIN products p ON p.id = e.product_id
    JOIN order_lines l ON l.id = e.order_line_id
    -- a gift has the terms of the day when it was bought
    LEFT JOIN gifts g ON g.id = l.gift_id LEFT JOIN order_lines b ON b.id = g.order_line_id
    JOIN orders o ON o.id = coalesce(b.order_id, l.order_id)
    LEFT JOIN LATERAL (
      SELECT * FROM (SELECT prefix, devices_per_seat, valid_days, ended_at, product_id FROM former_license_terms f
      WHERE f.product_id IN (p.id, p.variant_of) AND f.ended_at > o.created_at
      UNION ALL
      SELECT prefix, devices_per_seat, valid_days, 'infinity', product_id FROM license_terms n WHERE n.product_id IN (p.id, p.variant_of)) terms
      -- a variant without terms of its own has those of its product
      ORDER BY product_id <> p.id, ended_at LIMIT 1) t ON true
    WHERE e.order_line_id = ANY (${[...quantities.keys()]}::uuid[])`.execute(tx)
  const rows = bought.map((line) => {
    const { orderLineId, userId, productId } = line
    const { prefix, devicesPerSeat, validDays } = termsOf(line)
    const id = randomUUID()
    return {
      ...{
        id,
        orderLineId,
        userId,
        productId,
        devicesPerSeat,
        seats: required(quantities.get(orderLineId), 'the quantity of a line'),
      },
      ...vault.make(id, prefix),
      expiresAt: validDays === null ? null : sql<Date>`now() + ${validDays} * interval '1 day'`,
    }
  })
  await tx
    .insertInto('licenses')
    .values(rows)
    .onConflict((conflict) => conflict.column('orderLineId').doNothing())
    .execute()
}

type BoughtLine = StoredTerms & { orderLineId: string; userId: string; productId: string; title: string }

type Terms = { prefix: string; devicesPerSeat: number; validDays: number | null }
type StoredTerms = { prefix: string | null; devicesPerSeat: number | null; validDays: number | null }

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
    if (license) await keepDevices(tx, license.id, license.limit)
  }
}

/** Seats wait for who claims a gift. False when devices of the buyer need them. */
export async function setSeatsAside(tx: Tx, { id, quantity }: KindLine): Promise<boolean> {
  const license = await tx
    .updateTable('licenses')
    .set({ seats: sql`seats - ${quantity}` })
    .where('orderLineId', '=', id)
    .where('revokedAt', 'is', null)
    .where(
      sql<boolean>`seats >= ${quantity} AND (seats - ${quantity}) * devices_per_seat >= (SELECT count(*) FROM license_devices d
      WHERE d.license_id = licenses.id AND (d.removed_at IS NULL OR d.file_until > now()))`,
    )
    .returning('id')
    .executeTakeFirst()
  return license !== undefined
}

export async function addSeats(tx: Tx, { id, quantity }: KindLine) {
  await tx
    .updateTable('licenses')
    .set({ seats: sql`seats + ${quantity}` })
    .where('orderLineId', '=', id)
    .execute()
}

/** Locks the order of a key against a refund or a dispute, then the key: calls for its devices run one after another. */
export async function lockKey(tx: Tx, keyHash: Buffer) {
  await lockPaidOrder(tx, sql`l.id = (SELECT order_line_id FROM licenses WHERE key_hash = ${keyHash})`)
  await sql`SELECT FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN licenses k ON k.order_line_id = l.id
    WHERE k.key_hash = ${keyHash} FOR SHARE OF o`.execute(tx)
  await tx.selectFrom('licenses').select('id').where('keyHash', '=', keyHash).forUpdate().execute()
}

export type FoundLicense = {
  id: string
  productId: string
  variant: string | null
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
      sql<number>`(SELECT count(*)::int FROM license_devices d WHERE d.license_id = licenses.id
        AND (d.removed_at IS NULL OR d.file_until > now()))`.as('used'),
      sql<number>`licenses.seats * licenses.devices_per_seat`.as('limit'),
      sql<string | null>`(SELECT variant_name FROM products v WHERE v.id = licenses.product_id)`.as('variant'),
      STATE.as('state'),
    ])

/** A product signs for its variants too: one token for all tiers. */
const isOf = (productId: string) =>
  sql<boolean>`licenses.product_id = ANY (ARRAY (SELECT id FROM products WHERE id = ${productId}::uuid OR variant_of = ${productId}::uuid))`

export const findByKey = (
  db: Db | Tx,
  { productId, keyHash }: { productId: string; keyHash: Buffer },
): Promise<FoundLicense | undefined> =>
  allLicenses(db).where('licenses.keyHash', '=', keyHash).where(isOf(productId)).executeTakeFirst()

type OwnLine = { userId: string; orderId: string; lineId: string }

export const findOwned = (db: Db | Tx, { userId, orderId, lineId }: OwnLine): Promise<FoundLicense | undefined> =>
  allLicenses(db)
    .where('licenses.orderLineId', '=', lineId)
    .where('orderLines.orderId', '=', orderId)
    .where('orders.userId', '=', userId)
    .executeTakeFirst()

type LicenseQuery = {
  licenseId?: string
  keyHash?: Buffer
  orderNumber?: { text: string; isWhole: boolean }
  after?: string
}

export const findSold = (
  db: Db | Tx,
  productId: string,
  { licenseId, keyHash, orderNumber, after }: LicenseQuery,
  limit: number,
): Promise<FoundLicense[]> =>
  allLicenses(db)
    .where(isOf(productId))
    .$call((query) => (licenseId !== undefined ? query.where('licenses.id', '=', licenseId) : query))
    .$call((query) => (keyHash !== undefined ? query.where('licenses.keyHash', '=', keyHash) : query))
    .$call((query) => (orderNumber?.isWhole === true ? query.where('orders.id', '=', orderNumber.text) : query))
    .$call((query) =>
      orderNumber?.isWhole === false ? query.where(sql`right(orders.id::text, 8)`, '=', orderNumber.text) : query,
    )
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

/** Saves the terms of keys that are sold from now on. Orders that were placed keep the former ones. */
export async function saveTerms(tx: Tx, product: { id: string; former: Terms }, terms: Terms) {
  await tx
    .insertInto('formerLicenseTerms')
    .values({ productId: product.id, ...product.former })
    .execute()
  await tx
    .insertInto('licenseTerms')
    .values({ productId: product.id, ...terms })
    .onConflict((conflict) => conflict.column('productId').doUpdateSet(terms))
    .execute()
}

export async function forgetLicensesOf(tx: Tx, userId: string) {
  const own = tx.selectFrom('licenses').select('id').where('userId', '=', userId)
  await tx.deleteFrom('licenseDevices').where('licenseId', 'in', own).execute()
  await tx
    .updateTable('licenses')
    .set({ revokeReason: 'Erased with the account' })
    .where('userId', '=', userId)
    .where('revokedAt', 'is not', null)
    .execute()
}

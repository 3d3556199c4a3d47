import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { DEFAULT_DEVICES } from '../../catalogue/kinds.rules.ts'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import type { KindLine } from '../kindOfGoods.server.ts'
import { keepDevices } from './devices.store.server.ts'
import type { Extent } from './extension.rules.ts'
import { prefixOf } from './key.rules.ts'
import * as statements from './licenses.statements.server.ts'
import type { LicenseVault } from './vault.server.ts'
import { required } from '../../kit/values/required.ts'

/** Creates one key for each line, with the terms at the time of the order. Idempotent. */
export async function issueLicenses(tx: Tx, vault: LicenseVault, lines: KindLine[]) {
  const quantities = new Map(lines.map(({ id, quantity }) => [id, quantity]))
  const bought = await statements.readBoughtTerms(tx, { lineIds: [...quantities.keys()] })
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

type Terms = { prefix: string; devicesPerSeat: number; validDays: number | null }
type StoredTerms = { prefix: string | null; devicesPerSeat: number | null; validDays: number | null }

export const termsOf = ({ title, prefix, devicesPerSeat, validDays }: StoredTerms & { title: string }) => ({
  prefix: prefix ?? prefixOf(title),
  devicesPerSeat: devicesPerSeat ?? DEFAULT_DEVICES,
  validDays,
})

/** Removes seats and their least recently used devices. A key without seats ends. */
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

/** Reserves seats for a gift. Returns false if the buyer's devices need them. */
export const setSeatsAside = async (tx: Tx, { id, quantity }: KindLine): Promise<boolean> =>
  (await statements.setSeatsAside(tx, { lineId: id, quantity })).length > 0

export async function addSeats(tx: Tx, { id, quantity }: KindLine) {
  await tx
    .updateTable('licenses')
    .set({ seats: sql`seats + ${quantity}` })
    .where('orderLineId', '=', id)
    .execute()
}

/** Locks the order of a key, then the key. Refunds wait, and calls for its devices run one by one. */
export async function lockKey(tx: Tx, keyHash: Buffer) {
  await statements.lockGiftOrderOfKey(tx, { keyHash })
  await statements.lockOrderOfKey(tx, { keyHash })
  await tx.selectFrom('licenses').select('id').where('keyHash', '=', keyHash).forUpdate().execute()
}

export type FoundLicense = statements.FindByKeyRow

type Key = { productId: string; keyHash: Buffer }

export const findByKey = async (db: Db | Tx, key: Key): Promise<FoundLicense | undefined> =>
  (await statements.findByKey(db, key))[0]

type OwnLine = { userId: string; orderId: string; lineId: string }

export const findOwned = async (db: Db | Tx, line: OwnLine): Promise<FoundLicense | undefined> =>
  (await statements.findOwned(db, line))[0]

export const findById = async (db: Db | Tx, productId: string, id: string): Promise<FoundLicense | undefined> =>
  (await statements.findById(db, { productId, id }))[0]

type LicenseQuery = { keyHash?: Buffer; orderNumber?: { text: string; isWhole: boolean }; after?: string }

export async function findSold(
  db: Db,
  productId: string,
  { keyHash, orderNumber, after }: LicenseQuery,
  limit: number,
): Promise<FoundLicense[]> {
  // a search for one key has only one page
  if (keyHash) return after === undefined ? statements.findByKey(db, { productId, keyHash }) : []
  const page = { productId, after: after ?? null, limit }
  return orderNumber?.isWhole
    ? statements.findOfOrder(db, { ...page, orderId: orderNumber.text })
    : statements.listSold(db, { ...page, orderEnding: orderNumber?.text ?? null })
}

/** Sets or clears the seller's revocation. Returns false if nothing changed. */
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

/** Saves the terms of future sales. Existing orders have the former terms. */
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

export async function lockLicense(tx: Tx, id: string) {
  await tx.selectFrom('licenses').select('id').where('id', '=', id).forUpdate().execute()
}

export async function extend(tx: Tx, id: string, { expiresAt, devicesPerSeat }: Extent) {
  await tx.updateTable('licenses').set({ expiresAt, devicesPerSeat }).where('id', '=', id).execute()
}

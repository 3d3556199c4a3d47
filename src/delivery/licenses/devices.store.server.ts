import { sql } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import * as statements from './licenses.statements.server.ts'
import { digestOf } from './vault.server.ts'

// The devices of a licence key. Callers that change them lock the licence. A removed device with a valid licence file
// keeps its row and its place.

export type Device = {
  id: string
  name: string
  createdAt: Date
  seenAt: Date
  fileUntil: Date | null
  removedAt: Date | null
}

const COLUMNS = ['id', 'name', 'createdAt', 'seenAt', 'fileUntil', 'removedAt'] as const

const holdsPlace = sql<boolean>`holds_place(license_devices)`

export const listDevices = (db: Db | Tx, licenseId: string): Promise<Device[]> =>
  db
    .selectFrom('licenseDevices')
    .select(COLUMNS)
    .where('licenseId', '=', licenseId)
    .where(holdsPlace)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** Finds the device of a fingerprint, and updates its last use at most once an hour. */
export async function seeDevice(db: Db | Tx, licenseId: string, fingerprint: string): Promise<Device | undefined> {
  const device = await db
    .selectFrom('licenseDevices')
    .select([...COLUMNS, sql<boolean>`seen_at < now() - interval '1 hour'`.as('isStale')])
    .where('licenseId', '=', licenseId)
    .where('fingerprintHash', '=', digestOf(fingerprint))
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  if (device?.isStale) await db.updateTable('licenseDevices').set({ seenAt: now }).where('id', '=', device.id).execute()
  return device
}

/** Activates a key on a device, or renames an active device. Throws a Failure 409 if no place is left. */
export async function activateDevice(
  tx: Tx,
  license: { id: string; entitlementId: string; userId: string; used: number; limit: number },
  { fingerprint, name }: { fingerprint: string; name: string | undefined },
): Promise<Device> {
  // frees places of removed devices whose licence file expired
  await tx
    .deleteFrom('licenseDevices')
    .where('licenseId', '=', license.id)
    .where(sql<boolean>`NOT ${holdsPlace}`)
    .execute()
  const known = await tx
    .updateTable('licenseDevices')
    .set({ seenAt: now, removedAt: null, ...(name && { name }) })
    .where('licenseId', '=', license.id)
    .where('fingerprintHash', '=', digestOf(fingerprint))
    .returning(COLUMNS)
    .executeTakeFirst()
  if (known) return known
  if (license.used >= license.limit) throw limitReached(license)
  await tx
    .insertInto('deliveryEvents')
    .values({ entitlementId: license.entitlementId, userId: license.userId, kind: 'activate' })
    .execute()
  return tx
    .insertInto('licenseDevices')
    .values({ licenseId: license.id, fingerprintHash: digestOf(fingerprint), name: name ?? '' })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

const limitReached = ({ used, limit }: { used: number; limit: number }) =>
  new Failure(
    409,
    `All ${limit} devices of this licence key are in use. The buyer can remove one on the page of the order.`,
    'limit_reached',
    { details: { devices: { used, limit } } },
  )

export const removeFingerprint = async (tx: Tx, licenseId: string, fingerprint: string) => {
  const device = await tx
    .selectFrom('licenseDevices')
    .select('id')
    .where('licenseId', '=', licenseId)
    .where('fingerprintHash', '=', digestOf(fingerprint))
    .executeTakeFirst()
  if (device) await removeDevices(tx, licenseId, [device.id])
}

/** Removes devices and returns their number. A place is free once the device's licence file expires. */
export async function removeDevices(tx: Tx, licenseId: string, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0
  const rows = await statements.removeDevices(tx, { licenseId, ids })
  return rows.length
}

/** Removes devices beyond the limit, least recently used first. */
export async function keepDevices(tx: Tx, licenseId: string, limit: number) {
  const devices = await tx
    .selectFrom('licenseDevices')
    .select(['id', 'removedAt'])
    .where('licenseId', '=', licenseId)
    .where(holdsPlace)
    .orderBy('seenAt', 'desc')
    .orderBy('id')
    .execute()
  const active = devices.filter(({ removedAt }) => removedAt === null)
  const kept = Math.max(0, limit - (devices.length - active.length))
  await removeDevices(
    tx,
    licenseId,
    active.slice(kept).map(({ id }) => id),
  )
}

export const noteFile = (tx: Tx, licenseId: string, id: string, fileUntil: Date) =>
  tx
    .updateTable('licenseDevices')
    .set({ fileUntil })
    .where('licenseId', '=', licenseId)
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .returning('fingerprintHash')
    .executeTakeFirst()

import { sql } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { FoundLicense } from './licenses.store.server.ts'
import { digestOf } from './vault.server.ts'

// The devices of a licence key. Callers that change them hold the lock of the licence.

export type Device = { id: string; name: string; createdAt: Date; seenAt: Date; fileUntil: Date | null }

const COLUMNS = ['id', 'name', 'createdAt', 'seenAt', 'fileUntil'] as const

export const listDevices = (db: Db | Tx, licenseId: string): Promise<Device[]> =>
  db
    .selectFrom('licenseDevices')
    .select(COLUMNS)
    .where('licenseId', '=', licenseId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** The device of a fingerprint; writes down that it was seen, once an hour. */
export async function seeDevice(db: Db | Tx, licenseId: string, fingerprint: string): Promise<Device | undefined> {
  const device = await db
    .selectFrom('licenseDevices')
    .select([...COLUMNS, sql<boolean>`seen_at < now() - interval '1 hour'`.as('isStale')])
    .where('licenseId', '=', licenseId)
    .where('fingerprintHash', '=', digestOf(fingerprint))
    .executeTakeFirst()
  if (device?.isStale) await db.updateTable('licenseDevices').set({ seenAt: now }).where('id', '=', device.id).execute()
  return device
}

/** Activates a key on a device, or renames a device that has it. Throws a Failure 409 if no place is left. */
export async function activateDevice(
  tx: Tx,
  license: Pick<FoundLicense, 'id' | 'entitlementId' | 'userId' | 'used' | 'limit'>,
  { fingerprint, name }: { fingerprint: string; name: string | undefined },
): Promise<Device> {
  const known = await tx
    .updateTable('licenseDevices')
    .set({ seenAt: now, ...(name && { name }) })
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

const limitReached = ({ used, limit }: Pick<FoundLicense, 'used' | 'limit'>) =>
  new Failure(
    409,
    `All ${limit} devices of this licence key are in use. The buyer can remove one on the page of the order.`,
    'limit_reached',
    { details: { devices: { used, limit } } },
  )

export async function forgetFingerprint(tx: Tx, licenseId: string, fingerprint: string) {
  await tx
    .deleteFrom('licenseDevices')
    .where('licenseId', '=', licenseId)
    .where('fingerprintHash', '=', digestOf(fingerprint))
    .execute()
}

/** Answers whether the licence had the device. */
export async function deleteDevice(tx: Tx, licenseId: string, id: string): Promise<boolean> {
  const devices = tx.deleteFrom('licenseDevices').where('licenseId', '=', licenseId).where('id', '=', id)
  return (await devices.executeTakeFirst()).numDeletedRows > 0n
}

/** Writes down how long the newest licence file of a device works. */
export const noteFile = (tx: Tx, licenseId: string, id: string, fileUntil: Date) =>
  tx
    .updateTable('licenseDevices')
    .set({ fileUntil })
    .where('licenseId', '=', licenseId)
    .where('id', '=', id)
    .returning('fingerprintHash')
    .executeTakeFirst()

/** Removes the names that a member gave to devices. The keys keep working. */
export async function forgetDevicesOf(tx: Tx, userId: string) {
  const own = tx.selectFrom('licenses').select('id').where('userId', '=', userId)
  await tx.updateTable('licenseDevices').set({ name: '' }).where('licenseId', 'in', own).execute()
}

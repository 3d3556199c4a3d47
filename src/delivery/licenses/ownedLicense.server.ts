import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { type Caller, handle, type Route } from '../../kit/handle.server.ts'
import { openGoods } from '../gate.server.ts'
import { activateDevice, listDevices, noteFile, removeDevices } from './devices.store.server.ts'
import { maskKey } from './key.rules.ts'
import { endOfFile, fileNameOf, type FilePayload, type LicenseFile } from './licenseFile.rules.ts'
import { findOwned, type FoundLicense, lockKey } from './licenses.store.server.ts'
import {
  addDevice,
  getLicense,
  type LicenseState,
  makeLicenseFile,
  type OwnedLicense,
  removeDevice,
  revealLicense,
} from './ownedLicense.contract.ts'
import { digestOf, type LicenseVault } from './vault.server.ts'
import { required } from '../../kit/values/required.ts'

const MISSING = new Failure(404, 'Not found')

const CLOSED: Record<Exclude<LicenseState, 'active'>, Failure> = {
  expired: new Failure(409, 'This licence key has expired.', 'expired'),
  revoked: new Failure(409, 'The seller has revoked this licence key.', 'revoked'),
  frozen: new Failure(409, 'A refund or a dispute of this order is open, so the key is closed for now.', 'frozen'),
  ended: MISSING,
}

const reads = [{ per: 'account', count: 60, seconds: 60 } as const]
const reveals = [{ per: 'account', count: 30, seconds: 3600, isShared: true } as const]
const changes = [{ per: 'account', count: 60, seconds: 3600, isShared: true } as const]

type Line = { id: string; lineId: string }

export function ownedLicenseRoutes({ vault }: { vault: LicenseVault }): Route[] {
  /** Changes the devices of the caller's key, one call after another. Locks the order first, as a refund does. */
  const change = <T>(
    { id: orderId, lineId }: Line,
    { user, db }: Caller<'member'>,
    act: (tx: Tx, license: FoundLicense) => Promise<T>,
  ): Promise<T> =>
    inTransaction(db, async (tx) => {
      const own = { userId: user.id, orderId, lineId }
      const found = await findOwned(tx, own)
      if (!found) throw MISSING
      await lockKey(tx, found.keyHash)
      return act(tx, required(await findOwned(tx, own), 'the licence'))
    })

  return [
    handle(getLicense, { limits: reads }, async ({ id: orderId, lineId }, { user, db }) => {
      const license = await findOwned(db, { userId: user.id, orderId, lineId })
      if (!license) throw MISSING
      return show(db, license)
    }),

    handle(revealLicense, { limits: reveals }, ({ id: orderId, lineId }, { user, db, ip }) =>
      inTransaction(db, async (tx) => {
        const own = { userId: user.id, orderId, lineId }
        await openGoods(tx, { ...own, delivery: 'license', isProven: true, use: { kind: 'reveal', ip } })
        return { key: vault.open(required(await findOwned(tx, own), 'the licence')) }
      }),
    ),

    handle(addDevice, { limits: changes }, ({ fingerprint, name, ...line }, caller) =>
      change(line, caller, async (tx, license) => {
        demandActive(license)
        await activateDevice(tx, license, { fingerprint, name })
        return show(tx, license)
      }),
    ),

    handle(removeDevice, { limits: changes }, ({ deviceId, ...line }, caller) =>
      change(line, caller, async (tx, license) => {
        if ((await removeDevices(tx, license.id, [deviceId])) === 0) throw MISSING
        return show(tx, license)
      }),
    ),

    handle(makeLicenseFile, { limits: changes }, async ({ deviceId, ...asked }, caller) => {
      const isProven = await caller.isProven()
      return change(asked, caller, async (tx, license) => {
        demandActive(license)
        const own = { userId: caller.user.id, lineId: license.orderLineId }
        await openGoods(tx, { ...own, delivery: 'license', isProven, use: { kind: 'activate', ip: caller.ip } })
        const issuedAt = new Date()
        const expiresAt = endOfFile(issuedAt, license.expiresAt)
        const device = await noteFile(tx, license.id, deviceId, expiresAt)
        if (!device) throw MISSING
        const said: FilePayload = {
          productId: license.productId,
          key: digestOf(vault.open(license)).toString('hex'),
          device: device.fingerprintHash.toString('hex'),
          seats: license.seats,
          issuedAt: issuedAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
        }
        const payload = JSON.stringify(said)
        const file: LicenseFile = { payload, signature: vault.sign(payload), kid: vault.publicKey.kid }
        const line = await tx
          .selectFrom('orderLines')
          .select('title')
          .where('id', '=', license.orderLineId)
          .executeTakeFirstOrThrow()
        return { fileName: fileNameOf(line.title), text: `${JSON.stringify(file, null, 2)}\n` }
      })
    }),
  ]
}

function demandActive({ state }: FoundLicense) {
  if (state !== 'active') throw CLOSED[state]
}

async function show(db: Parameters<typeof listDevices>[0], license: FoundLicense): Promise<OwnedLicense> {
  const devices = await listDevices(db, license.id)
  return {
    ...{ masked: maskKey(license), state: license.state, seats: license.seats, limit: license.limit },
    expiresAt: license.expiresAt?.toISOString() ?? null,
    reason: license.revokeReason,
    devices: devices.map(({ id, name, createdAt, seenAt, fileUntil, removedAt }) => ({
      ...{ id, name, activatedAt: createdAt.toISOString(), seenAt: seenAt.toISOString() },
      isRemoved: removedAt !== null,
      fileUntil: fileUntil?.toISOString() ?? null,
    })),
  }
}

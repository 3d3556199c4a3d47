import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { type Caller, handlePublic, handleToken, type Route } from '../../kit/handle.server.ts'
import { bearerOf } from '../../kit/secret.server.ts'
import { refuseFor } from '../../kit/serve/checks.server.ts'
import type { SharedLimiter } from '../../kit/serve/sharedLimit.server.ts'
import { activateDevice, type Device, removeFingerprint, seeDevice } from './devices.store.server.ts'
import {
  activateLicense,
  deactivateLicense,
  type License,
  listLicenseKeys,
  validateLicense,
} from './licenseApi.contract.ts'
import { findByKey, type FoundLicense, lockKey } from './licenses.store.server.ts'
import { findToken, noteUse } from './tokens.store.server.ts'
import type { LicenseVault } from './vault.server.ts'
import { required } from '../../kit/values/required.ts'

/** One response for every unusable key, so that a caller who guesses keys learns nothing. */
const KEY_REFUSED = new Failure(403, 'This licence key can’t be used with this product.', 'key_refused')
const EXPIRED = new Failure(403, 'This licence key has expired.', 'expired')

const limits = [{ per: 'address', count: 300, seconds: 60 } as const]
const PER_TOKEN = { per: 'account', count: 6000, seconds: 60 } as const
const PER_KEY = { per: 'account', count: 240, seconds: 60 } as const

type Parts = { vault: LicenseVault; limiter: Pick<SharedLimiter, 'take'> }

export function licenseApiRoutes({ vault, limiter }: Parts): Route[] {
  /** Returns the product of the token and the hash of the key. Applies the rate limits of both. */
  async function check({ header, db }: Caller<'token'>, key: string) {
    const token = await findToken(db, bearerOf(header('authorization')) ?? '')
    if (!token) throw new Failure(401, 'Unauthorized')
    const keyHash = vault.hashOf(key)
    refuseFor(await limiter.take(`license token ${token.id}`, PER_TOKEN))
    await noteUse(db, token)
    const asked = { productId: token.productId, keyHash }
    const license = await findByKey(db, asked)
    // an unknown key creates no entry in the rate limiter
    if (license) refuseFor(await limiter.take(`license key ${license.id}`, PER_KEY))
    return asked
  }

  /** Changes the devices of a key. Concurrent calls run one after another. */
  const change = (
    db: Db,
    asked: Awaited<ReturnType<typeof check>>,
    act: (tx: Tx, license: FoundLicense) => Promise<Device | void>,
  ): Promise<License> =>
    inTransaction(db, async (tx) => {
      await lockKey(tx, asked.keyHash)
      // a separate statement, so that it reads commits of the transaction that held the lock
      const device = await act(tx, demandGood(await findByKey(tx, asked)))
      return answer(required(await findByKey(tx, asked), 'the licence'), device)
    })

  return [
    handleToken(validateLicense, { limits }, async ({ key, fingerprint }, caller) => {
      const license = demandGood(await findByKey(caller.db, await check(caller, key)))
      return answer(license, fingerprint ? await seeDevice(caller.db, license.id, fingerprint) : undefined)
    }),

    handleToken(activateLicense, { limits }, async ({ key, fingerprint, name }, caller) =>
      change(caller.db, await check(caller, key), (tx, license) => activateDevice(tx, license, { fingerprint, name })),
    ),

    handleToken(deactivateLicense, { limits }, async ({ key, fingerprint }, caller) =>
      change(caller.db, await check(caller, key), (tx, license) => removeFingerprint(tx, license.id, fingerprint)),
    ),

    handlePublic(listLicenseKeys, { limits: [{ per: 'address', count: 60, seconds: 60 }] }, async () => ({
      keys: [vault.publicKey],
    })),
  ]
}

function demandGood(license: FoundLicense | undefined): FoundLicense {
  if (license?.state === 'expired') throw EXPIRED
  if (license?.state !== 'active') throw KEY_REFUSED
  return license
}

const answer = (
  { productId, variant, seats, used, limit, expiresAt }: FoundLicense,
  device: Device | void,
): License => ({
  ...{ productId, variant, seats, devices: { used, limit } },
  device: device ? { name: device.name, activatedAt: device.createdAt.toISOString() } : null,
  expiresAt: expiresAt?.toISOString() ?? null,
})

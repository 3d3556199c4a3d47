import { recordAct } from '../../identity/audit/audit.server.ts'
import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { refuseFor } from '../../kit/serve/checks.server.ts'
import type { SharedLimiter } from '../../kit/serve/sharedLimit.server.ts'
import { endOfDay, type Extent, isSameExtent, problemOfExtension } from './extension.rules.ts'
import { maskKey, readKey } from './key.rules.ts'
import * as statements from './licenses.statements.server.ts'
import {
  extend,
  findById,
  findSold,
  type FoundLicense,
  lockLicense,
  saveTerms,
  setRevoked,
  termsOf,
} from './licenses.store.server.ts'
import {
  addLicenseToken,
  extendLicense,
  findLicenses,
  getLicenseSettings,
  type LicenseSettings,
  MANY_LICENSES,
  MAX_TOKENS,
  restoreLicense,
  revokeLicense,
  revokeLicenseToken,
  saveLicenseTerms,
  type SoldLicense,
} from './soldLicenses.contract.ts'
import { deleteToken, insertToken, listTokens } from './tokens.store.server.ts'
import type { LicenseVault } from './vault.server.ts'
import { only, required } from '../../kit/values/required.ts'

const MISSING = new Failure(404, 'Not found')
const reads = [{ per: 'account', count: 60, seconds: 60 } as const]
const changes = [{ per: 'account', count: 60, seconds: 3600, isShared: true } as const]

const CLOSED = new Failure(409, 'This key is refunded or disputed, so it can’t be extended.', 'closed')

const DECISIONS = { per: 'account', count: 4, seconds: 86_400 } as const

type Parts = {
  vault: LicenseVault
  limiter: Pick<SharedLimiter, 'take'>
  config: Pick<Config, 'storeName'>
  publicUrl: string
}

export function soldLicensesRoutes({ vault, limiter, config, publicUrl }: Parts): Route[] {
  /** Revokes a key, or restores it if `reason` is null. */
  async function decide(
    db: Db,
    sellerId: string,
    { id, licenseId, reason, isRevoked }: { id: string; licenseId: string; reason: string; isRevoked: boolean },
  ): Promise<SoldLicense> {
    await demandOwn(db, sellerId, id)
    const license = await findById(db, id, licenseId)
    if (!license) throw MISSING
    if ((license.revokeReason !== null) === isRevoked) return rowOf(license)
    // each decision mails the buyer
    refuseFor(await limiter.take(`license decision ${licenseId}`, DECISIONS))
    return inTransaction(db, async (tx) => {
      if (await setRevoked(tx, licenseId, isRevoked ? reason : null)) await tell(tx, license, reason, isRevoked)
      return rowOf(required(await findById(tx, id, licenseId), 'the licence'))
    })
  }

  /** Lets a key work longer and on more devices. */
  async function lengthen(
    db: Db,
    sellerId: string,
    {
      id,
      licenseId,
      until,
      devicesPerSeat,
    }: { id: string; licenseId: string; until: string | null; devicesPerSeat: number },
  ): Promise<SoldLicense> {
    await demandOwn(db, sellerId, id)
    const known = await findById(db, id, licenseId)
    if (!known) throw MISSING
    const next: Extent = { expiresAt: until === null ? null : endOfDay(until), devicesPerSeat }
    if (isSameExtent(extentOf(known), next)) return rowOf(known)
    demandExtendable(known, next)
    // each extension mails the buyer. The limiter uses another connection, so it comes before the transaction
    refuseFor(await limiter.take(`license decision ${licenseId}`, DECISIONS))
    return inTransaction(db, async (tx) => {
      await lockLicense(tx, licenseId)
      const license = required(await findById(tx, id, licenseId), 'the licence')
      if (isSameExtent(extentOf(license), next)) return rowOf(license)
      demandExtendable(license, next)
      await extend(tx, licenseId, next)
      const found = required(await findById(tx, id, licenseId), 'the licence')
      const details = { devices: String(found.limit), ...(until !== null && { until }) }
      await recordAct(tx, { actorId: sellerId, act: 'order.extended', subjectId: license.orderId, details })
      await mail(tx, found, 'works longer', (title) => [
        `The seller of “${title}” has extended your licence key ${maskKey(found)}.`,
        `It works ${until === null ? 'without an end' : `until ${until}`}, on ${found.limit} ${found.limit === 1 ? 'device' : 'devices'}.`,
      ])
      return rowOf(found)
    })
  }

  const tell = (tx: Tx, license: FoundLicense, reason: string, isRevoked: boolean) =>
    mail(tx, license, isRevoked ? 'was revoked' : 'works again', (title) => [
      isRevoked
        ? `The seller of “${title}” has revoked your licence key ${maskKey(license)}. The software no longer accepts it.`
        : `The seller of “${title}” has restored your licence key ${maskKey(license)}.`,
      `The seller says: ${reason}`,
      ...(isRevoked ? ['If you think that this is wrong, ask for a refund on the page of your order.'] : []),
    ])

  async function mail(tx: Tx, license: FoundLicense, what: string, linesOf: (title: string) => string[]) {
    const buyer = await tx
      .selectFrom('users')
      .innerJoin('orderLines', (join) => join.on('orderLines.id', '=', license.orderLineId))
      .select(['users.email', 'users.erasedAt', 'orderLines.title'])
      .where('users.id', '=', license.userId)
      .executeTakeFirstOrThrow()
    if (buyer.erasedAt) return
    await sendMail(tx, config, {
      key: `license:${license.id}:${crypto.randomUUID()}`,
      to: buyer.email,
      subject: `Your licence key of “${buyer.title}” ${what}`,
      lines: linesOf(buyer.title),
      action: { label: 'Open your order', url: `${publicUrl}/orders/${license.orderId}` },
    })
  }

  return [
    handle(getLicenseSettings, { limits: reads }, async ({ id }, { user, db }) => {
      await demandOwn(db, user.id, id)
      return readSettings(db, id)
    }),

    handle(saveLicenseTerms, { limits: changes }, async ({ id, prefix, devicesPerSeat, validDays }, { user, db }) => {
      const terms = { prefix, devicesPerSeat, validDays }
      await inTransaction(db, async (tx) => {
        await demandOwn(tx, user.id, id, { isLocked: true })
        const { isSold: _, tokens: __, ...former } = await readSettings(tx, id)
        await saveTerms(tx, { id, former }, terms)
      })
      return readSettings(db, id)
    }),

    handle(addLicenseToken, { limits: changes }, async ({ id }, { user, db }) =>
      inTransaction(db, async (tx) => {
        // locked, so that concurrent calls count each other
        await demandOwn(tx, user.id, id, { isLocked: true })
        if ((await listTokens(tx, id)).length >= MAX_TOKENS)
          throw new Failure(409, `A product has ${MAX_TOKENS} tokens at most. Revoke one first.`, 'too_many')
        const token = await insertToken(tx, id)
        return { ...(await readSettings(tx, id)), token }
      }),
    ),

    handle(revokeLicenseToken, { limits: changes }, async ({ id, tokenId }, { user, db }) => {
      await demandOwn(db, user.id, id)
      if (!(await deleteToken(db, id, tokenId))) throw MISSING
      return readSettings(db, id)
    }),

    handle(findLicenses, { limits: reads }, async ({ id, q = '', after }, { user, db }) => {
      await demandOwn(db, user.id, id)
      const wanted = readSearch(q, vault)
      if (!wanted) return { licenses: [], hasMore: false }
      const rows = await findSold(db, id, { ...wanted, ...(after && { after }) }, MANY_LICENSES + 1)
      return { licenses: rows.slice(0, MANY_LICENSES).map(rowOf), hasMore: rows.length > MANY_LICENSES }
    }),

    handle(revokeLicense, { limits: changes }, (asked, { user, db }) =>
      decide(db, user.id, { ...asked, isRevoked: true }),
    ),

    handle(restoreLicense, { limits: changes }, (asked, { user, db }) =>
      decide(db, user.id, { ...asked, isRevoked: false }),
    ),

    handle(extendLicense, { limits: changes }, (asked, { user, db }) => lengthen(db, user.id, asked)),
  ]
}

const NUMBER = /^#?\s*((?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{4})?[0-9a-f]{8})$/i

function readSearch(q: string, vault: LicenseVault): Parameters<typeof findSold>[2] | null {
  if (q === '') return {}
  if (readKey(q)) return { keyHash: vault.hashOf(q) }
  const text = NUMBER.exec(q)?.[1]?.toLowerCase()
  return text ? { orderNumber: { text, isWhole: text.length > 8 } } : null
}

async function demandOwn(db: Db | Tx, sellerId: string, id: string, { isLocked = false } = {}) {
  const product = await db
    .selectFrom('products')
    .select('id')
    .where('id', '=', id)
    .where('sellerId', '=', sellerId)
    .where('deletedAt', 'is', null)
    .$if(isLocked, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (!product) throw MISSING
}

async function readSettings(db: Db | Tx, id: string): Promise<LicenseSettings> {
  const product = only(await statements.readSettings(db, { productId: id }))
  const tokens = await listTokens(db, id)
  return {
    ...termsOf(product),
    isSold: product.isSold,
    tokens: tokens.map(({ createdAt, ...token }) => ({ ...token, createdAt: createdAt.toISOString() })),
  }
}

function demandExtendable(license: FoundLicense, next: Extent) {
  if (license.state === 'ended' || license.state === 'frozen') throw CLOSED
  const problem = problemOfExtension(extentOf(license), next, new Date())
  if (problem) throw new Failure(409, problem, 'shorter')
}

const extentOf = ({ expiresAt, limit, seats }: FoundLicense): Extent => ({ expiresAt, devicesPerSeat: limit / seats })

const rowOf = (license: FoundLicense): SoldLicense => ({
  ...{ id: license.id, masked: maskKey(license), orderId: license.orderId, state: license.state },
  ...{ seats: license.seats, devices: { used: license.used, limit: license.limit } },
  expiresAt: license.expiresAt?.toISOString() ?? null,
  reason: license.revokeReason,
  soldAt: license.createdAt.toISOString(),
})

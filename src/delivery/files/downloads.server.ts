import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { type Answer, handle, handleRaw, type Page, type Route } from '../../kit/handle.server.ts'
import { isSameSecret } from '../../kit/secret.server.ts'
import { COMMON } from '../../kit/serve/headers.server.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import { grantDownload } from './files.contract.ts'
import { isDisputed, isGoingBack, openEntitlement } from '../entitlements.server.ts'
import { attachment, readRange } from './range.rules.ts'

// A grant belongs to a buyer, an order line and a file version. It must start within 60 s and then lasts an hour.

const LINK_EXPIRED = new Failure(
  403,
  'This download link has expired. Open the order and press Download again.',
  'link_expired',
)
const START_SECONDS = 60
const LIFE_SECONDS = 3600

export function downloadRoutes({ storage, secret }: { storage: Storage; secret: string }): Route[] {
  const sign = (id: string, userId: string, expires: string) =>
    createHmac('sha256', secret).update(`download ${id} ${userId} ${expires}`).digest('base64url')

  return [
    handle(
      grantDownload,
      { limits: [{ per: 'account', count: 60, seconds: 3600, isShared: true }] },
      async ({ id: orderId, lineId, isNewest = false }, { user, db, isProven: askProven }) => {
        const isProven = await askProven()
        const grant = await inTransaction(db, async (tx) => {
          const entitlementId = await openEntitlement(tx, {
            userId: user.id,
            orderId,
            lineId,
            delivery: 'file',
            isProven,
          })
          return tx
            .insertInto('downloadGrants')
            .values({
              entitlementId,
              fileId: isNewest ? newestOf(entitlementId) : null,
              startBy: inSeconds(START_SECONDS),
              expiresAt: inSeconds(LIFE_SECONDS),
            })
            .returning(['id', 'startBy', 'expiresAt'])
            .executeTakeFirstOrThrow()
        })
        const expires = String(grant.expiresAt.getTime())
        const url = `/downloads/${grant.id}?expires=${expires}&signature=${sign(grant.id, user.id, expires)}`
        return { url, expiresAt: grant.startBy.toISOString() }
      },
    ),

    handleRaw(
      'GET /downloads/:id',
      { access: 'member', about: 'The file of a grant; takes one range.' },
      async (page): Promise<Answer> => {
        const expires = page.query.get('expires') ?? ''
        const user = page.user!
        if (!isSameSecret(page.query.get('signature') ?? '', sign(page.params.id!, user.id, expires)))
          throw new Failure(404, 'Not found')
        const file = await startGrant(page, page.params.id!, user.id)
        if (!file) throw LINK_EXPIRED
        return sendFile(page, storage, file)
      },
    ),
  ]
}

const inSeconds = (seconds: number) => sql<Date>`now() + ${seconds} * interval '1 second'`

/** The version on sale of the product that was bought. */
const newestOf = (entitlementId: string) => sql<string | null>`(SELECT p.file_id
  FROM entitlements e JOIN products p ON p.id = e.product_id WHERE e.id = ${entitlementId}::uuid)`

type GrantedFile = { objectId: string; fileName: string; contentType: string; sizeBytes: number; sha256: string }

/** The file of a valid grant. The first use starts the grant; downloads are recorded once a day. */
const startGrant = ({ db, ip }: Page, grantId: string, userId: string): Promise<GrantedFile | undefined> =>
  inTransaction(db, async (tx) => {
    await lockUnstarted(tx, grantId)
    return openGrant(tx, grantId, userId, ip)
  })

/** Makes the first use of a grant wait for a refund that the buyer takes at the same moment, or the refund for it. */
const lockUnstarted = (tx: Tx, grantId: string) =>
  sql`SELECT FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN entitlements e ON e.order_line_id = l.id
    JOIN download_grants g ON g.entitlement_id = e.id
    WHERE g.id = ${grantId}::uuid AND g.started_at IS NULL FOR SHARE OF o`.execute(tx)

async function openGrant(tx: Tx, grantId: string, userId: string, ip: string): Promise<GrantedFile | undefined> {
  const grant = await tx
    .updateTable('downloadGrants')
    .set({ startedAt: sql`coalesce(started_at, now())` })
    .where('id', '=', grantId)
    .where('expiresAt', '>', now)
    .where((row) => row.or([row('startedAt', 'is not', null), row('startBy', '>', now)]))
    .returning(['entitlementId', 'fileId'])
    .executeTakeFirst()
  if (!grant) return undefined
  const file = await findFile(tx, grant, userId)
  if (!file) throw LINK_EXPIRED
  await recordOnceADay(tx, grant.entitlementId, userId, ip)
  return file
}

/** Checked for each range, because a refund ends access at once. */
type Grant = { entitlementId: string; fileId: string | null }

const findFile = (db: Tx, { entitlementId, fileId }: Grant, userId: string): Promise<GrantedFile | undefined> =>
  db
    .selectFrom('entitlements')
    .innerJoin('productFiles', (join) =>
      join.on('productFiles.id', '=', sql<string>`coalesce(${fileId}::uuid, entitlements.file_id)`),
    )
    .innerJoin('orderLines', 'orderLines.id', 'entitlements.orderLineId')
    .innerJoin('orders', 'orders.id', 'orderLines.orderId')
    .select([
      'productFiles.objectId',
      'productFiles.fileName',
      'productFiles.contentType',
      'productFiles.sizeBytes',
      'productFiles.sha256',
    ])
    .where('entitlements.id', '=', entitlementId)
    .where('entitlements.userId', '=', userId)
    .where('entitlements.revokedAt', 'is', null)
    .where('orders.status', '=', 'completed')
    .where(sql<boolean>`NOT ${isGoingBack} AND NOT ${isDisputed}`)
    .executeTakeFirst()

async function recordOnceADay(db: Tx, entitlementId: string, userId: string, ip: string) {
  await sql`INSERT INTO delivery_events (entitlement_id, user_id, kind, ip_address)
    SELECT ${entitlementId}::uuid, ${userId}::uuid, 'download', ${ip}
    WHERE NOT EXISTS (SELECT FROM delivery_events WHERE entitlement_id = ${entitlementId}::uuid AND kind = 'download'
      AND created_at > now() - interval '1 day')`.execute(db)
}

async function sendFile({ header, method }: Page, storage: Storage, file: GrantedFile): Promise<Answer> {
  const etag = `"${file.sha256}"`
  const headers = {
    ...COMMON,
    'content-type': file.contentType,
    'content-disposition': attachment(file.fileName),
    'content-security-policy': "default-src 'none'; sandbox",
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    etag,
  }
  const condition = header('if-range')
  const range = condition === undefined || condition === etag ? readRange(header('range'), file.sizeBytes) : 'whole'
  if (range === 'invalid') return { status: 416, headers: { ...headers, 'content-range': `bytes */${file.sizeBytes}` } }
  const { start, end } = range === 'whole' ? { start: 0, end: file.sizeBytes - 1 } : range
  const all = {
    ...headers,
    'content-length': String(end - start + 1),
    ...(range !== 'whole' && { 'content-range': `bytes ${start}-${end}/${file.sizeBytes}` }),
  }
  const status = range === 'whole' ? 200 : 206
  if (method === 'HEAD') return { status, headers: all }
  const { stream } = await storage.open(file.objectId, { start, end })
  return { status, headers: all, body: stream }
}

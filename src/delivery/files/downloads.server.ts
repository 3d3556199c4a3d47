import { sql } from 'kysely'
import { inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { type Answer, handle, handleRaw, type MemberPage, type Page, type Route } from '../../kit/handle.server.ts'
import { isSameSecret } from '../../kit/secret.server.ts'
import { nameAfter } from '../../uploads/fileName.rules.ts'
import { fileHeaders, sendFile } from '../../uploads/sendFile.server.ts'
import { isOpen, openFile, openGoods, type Sources } from '../gate.server.ts'
import { grantDownload } from './files.contract.ts'
import * as statements from './files.statements.server.ts'
import { openGrants } from './grants.server.ts'
import { MAX_STAMPED_BYTES } from '../stamp/stamp.rules.ts'
import { packFiles } from './zip.server.ts'
import { nameEntries } from './zipNames.rules.ts'
import { firstOf, required } from '../../kit/values/required.ts'

const LINK_EXPIRED = new Failure(
  403,
  'This download link has expired. Open the order and press Download again.',
  'link_expired',
)

export function downloadRoutes({ secret, ...sources }: Sources & { secret: string }): Route[] {
  const { issue, sign } = openGrants(secret)

  return [
    handle(
      grantDownload,
      { limits: [{ per: 'account', count: 60, seconds: 3600, isShared: true }] },
      async ({ id: orderId, lineId, ...wanted }, { user, db, isProven: askProven }) => {
        const isProven = await askProven()
        return inTransaction(db, async (tx) => {
          const own = { userId: user.id, orderId, lineId }
          const entitlementId = await openGoods(tx, { ...own, delivery: 'file', isProven, use: null })
          return issue(tx, user.id, {
            entitlementId,
            fileId: await chooseFile(tx, entitlementId, wanted),
            isZip: wanted.isAll === true && (await hasSeveralFiles(tx, lineId)),
          })
        })
      },
    ),

    handleRaw(
      'GET /downloads/:id',
      { access: 'member', about: 'The file of a grant. Accepts one range.' },
      async (page): Promise<Answer> => {
        const expires = page.query.get('expires') ?? ''
        const user = page.user
        if (!isSameSecret(page.query.get('signature') ?? '', sign(page.params.id, user.id, expires)))
          throw new Failure(404, 'Not found')
        const grant = await startGrant(page, page.params.id, user.id).catch((error: unknown) => {
          // LINK_EXPIRED leads the buyer to the order page, which shows why the goods are locked.
          throw error instanceof Failure && error.status < 500 ? LINK_EXPIRED : error
        })
        if (grant.isZip) return sendZip(page, sources, grant)
        const granted = firstOf(grant.files)
        const { file, from } = await openFile(granted, sources, user.email)
        // the content security policy of the reader forbids other origins, so the shop streams the bytes
        return sendFile(page, page.query.has('reader') ? { open: from.open } : from, file)
      },
    ),
  ]
}

type DownloadQuery = { isNewest?: boolean | undefined; fileId?: string | undefined }

/** Returns the version of a grant; null means the first bought one. Throws a Failure 404 for other files. */
export async function chooseFile(
  tx: Tx,
  entitlementId: string,
  { isNewest, fileId }: DownloadQuery,
): Promise<string | null> {
  if (fileId === undefined && !isNewest) return null
  const [version] = await statements.findVersion(tx, { entitlementId, fileId: fileId ?? null })
  if (fileId !== undefined && !version) throw new Failure(404, 'Not found')
  return version?.id ?? null
}

async function hasSeveralFiles(tx: Tx, lineId: string): Promise<boolean> {
  const { moreFileIds } = await tx
    .selectFrom('orderLines')
    .select('moreFileIds')
    .where('id', '=', lineId)
    .executeTakeFirstOrThrow()
  return moreFileIds.length > 0
}

type GrantedFile = statements.FindFilesRow
type Grant = { entitlementId: string; fileId: string | null; isZip: boolean }
type OpenGrant = Grant & { lineId: string; files: GrantedFile[] }

/** Returns the files of a valid grant. The first request starts the grant. Throws a Failure if the grant is invalid. */
const startGrant = ({ db, ip }: Page, grantId: string, userId: string): Promise<OpenGrant> =>
  inTransaction(db, async (tx) => {
    const line = await tx
      .selectFrom('downloadGrants')
      .innerJoin('entitlements', 'entitlements.id', 'downloadGrants.entitlementId')
      .select('entitlements.orderLineId as id')
      .where('downloadGrants.id', '=', grantId)
      .executeTakeFirst()
    if (!line) throw LINK_EXPIRED
    await openGoods(tx, { userId, lineId: line.id, isProven: true, use: { kind: 'download', ip } })
    const grant = await tx
      .updateTable('downloadGrants')
      .set({ startedAt: sql`coalesce(started_at, now())` })
      .where('id', '=', grantId)
      .where('expiresAt', '>', now)
      .where((row) => row.or([row('startedAt', 'is not', null), row('startBy', '>', now)]))
      .returning(['entitlementId', 'fileId', 'isZip'])
      .executeTakeFirst()
    const files = grant ? await findFiles(tx, grant) : []
    // throws, so that the transaction rolls back and records no use of an expired link
    if (!grant || files.length === 0) throw LINK_EXPIRED
    return { ...grant, lineId: line.id, files }
  })

const findFiles = (tx: Tx, grant: Grant): Promise<GrantedFile[]> =>
  statements.findFiles(tx, { ...grant, maxStampedBytes: MAX_STAMPED_BYTES })

type Packed = GrantedFile & Pick<Awaited<ReturnType<typeof openFile>>, 'from'>

/** Prepares the files of a ZIP with stamped PDFs. Their sizes must be known before the first byte is sent. */
async function prepare(files: GrantedFile[], sources: Sources, email: string): Promise<Packed[]> {
  const prepared: Packed[] = []
  for (const granted of files) {
    const { file, from } = await openFile(granted, sources, email)
    prepared.push({ ...granted, ...file, from })
  }
  return prepared
}

async function sendZip({ method, db, user, signal }: MemberPage, sources: Sources, grant: OpenGrant): Promise<Answer> {
  const headers = fileHeaders('application/zip', nameAfter(firstOf(grant.files).title, 'zip'))
  if (method === 'HEAD') return { status: 200, headers }
  const files = await prepare(grant.files, sources, user.email)
  const paths = nameEntries(files)
  const entries = files.map(({ key, sizeBytes, createdAt, from }, i) => ({
    path: required(paths[i], 'an entry of paths'),
    sizeBytes,
    addedAt: createdAt,
    open: async () => {
      if (!(await isOpen(db, user.id, grant.lineId))) throw LINK_EXPIRED
      return (await from.open(key)).stream
    },
  }))
  const { body, sizeBytes } = packFiles(entries, signal)
  return { status: 200, headers: { ...headers, 'content-length': String(sizeBytes) }, body }
}

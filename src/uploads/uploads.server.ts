import { Failure } from '../kit/failure.ts'
import { type Caller, handle, handleRaw, type Route } from '../kit/handle.server.ts'
import type { Reach } from '../kit/outside/fetchOutside.server.ts'
import { originOf, signUpload } from './address.server.ts'
import { addUpload } from './budget/budget.server.ts'
import { cleanFileName, readFileName } from './fileName.rules.ts'
import { imageRoute } from './images/images.server.ts'
import { takeIncoming, type UploadContext } from './keep.server.ts'
import { answerSoon } from './lease.server.ts'
import { linkRoutes } from './link.server.ts'
import { ownFileRoute } from './ownFile.server.ts'
import { answerJson } from './parts/answer.server.ts'
import { partRoutes, refuseOtherSites } from './parts/parts.server.ts'
import { receiveUpload } from './receive.server.ts'
import type { Storage } from './storage.server.ts'
import { type Refusal, refusedAs, sizeMissing, tooLarge } from './storing.server.ts'
import { createUpload, finishUpload, MAX_IMAGE_BYTES } from './uploads.contract.ts'
import type { UploadsConfig } from './uploads.settings.server.ts'
import { FILES_AN_HOUR } from './uploader.rules.ts'

const LIFE_SECONDS = 15 * 60
const HOURLY = [{ per: 'account', count: FILES_AN_HOUR, seconds: 3600, isShared: true }] as const

type UploadOptions = {
  storage: Storage
  secret: string
  config: Pick<UploadsConfig, 'maxFileBytes'> & Partial<Pick<UploadsConfig, 'maxBytesPerDay'>>
  publicUrl: string | undefined
  reach?: Reach
}

const USUAL_DAY_BYTES = 1024 ** 3

export function uploadRoutes({ storage, secret, config, publicUrl, reach }: UploadOptions): Route[] {
  const maxBytes = config.maxFileBytes
  const context: UploadContext = {
    ...{ storage, maxBytes, publicUrl },
    maxBytesPerDay: config.maxBytesPerDay ?? USUAL_DAY_BYTES,
  }
  return [
    handle(createUpload, { limits: [...HOURLY] }, (_, caller) =>
      issueUpload(context, secret, caller, readPlan(caller.header)),
    ),
    handleRaw(
      'GET /companion/s3/params',
      {
        access: 'member',
        about:
          'The same as POST /api/objects/upload, in the form of Companion: `filename`, `type`, `metadata[kind]`, `metadata[size]`.',
        limits: [...HOURLY],
      },
      async ({ db, user, header, query }) => {
        refuseOtherSites(header)
        const plan: Plan = {
          isImage: query.get('metadata[kind]') === 'image',
          fileName: cleanFileName(query.get('filename') ?? ''),
          contentType: readType(query.get('type') ?? ''),
          sizeBytes: readSize(query.get('metadata[size]') ?? ''),
          sha256: null,
        }
        const { uploadURL, headers } = await issueUpload(context, secret, { db, user: user, header }, plan)
        return answerJson({ method: 'PUT', url: uploadURL, fields: {}, headers })
      },
    ),
    handle(
      finishUpload,
      // the browser polls each second while a file is checked
      { limits: [{ per: 'account', count: 1200, seconds: 3600, isShared: true }] },
      async ({ id }, { db, user, header }) => {
        const row = await db
          .selectFrom('objects')
          .select(['status', 'refusedAs'])
          .where('id', '=', id)
          .where('userId', '=', user.id)
          .executeTakeFirst()
        if (!row) throw new Failure(404, 'Upload not found', 'upload_not_found')
        // a check from an earlier call has refused the file in the meantime
        if (row.refusedAs) throw refusedAs(row.refusedAs as Refusal)
        const upload = { id, userId: user.id }
        if (row.status === 'issued' && !(await answerSoon(takeIncoming(db, storage, upload, context))))
          throw new Failure(409, 'The bytes of this upload did not arrive. Please upload the file again.', 'no_bytes')
        return { uploadURL: `${originOf(publicUrl, header)}/objects/${id}` }
      },
    ),
    receiveUpload(context, secret),
    ownFileRoute(storage),
    ...partRoutes(context, secret),
    ...linkRoutes({ ...context, reach }),
    imageRoute(storage),
  ]
}

type Plan = {
  isImage: boolean
  fileName: string | null
  contentType: string | null
  sizeBytes: number | null
  sha256: string | null
}

function readPlan(header: (name: string) => string | undefined): Plan {
  const size = header('x-file-size') ?? ''
  const hash = header('x-file-sha256') ?? ''
  return {
    isImage: header('x-upload-kind') === 'image',
    fileName: readFileName(header('x-file-name')),
    contentType: readType(header('x-file-type')),
    sizeBytes: readSize(size),
    sha256: /^[A-Za-z0-9+/]{43}=$/.test(hash) ? hash : null,
  }
}

const readSize = (size: string) => (/^\d{1,15}$/.test(size) ? Number(size) : null)

const readType = (type = '') => (/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : null)

async function issueUpload(
  { storage, maxBytes, publicUrl, ...quota }: UploadContext,
  secret: string,
  { db, user, header }: Pick<Caller<'member'>, 'db' | 'user' | 'header'>,
  { isImage, fileName, contentType, sizeBytes, sha256 }: Plan,
): Promise<{ uploadURL: string; id: string; headers: Record<string, string> }> {
  const most = isImage ? Math.min(MAX_IMAGE_BYTES, maxBytes) : maxBytes
  if (sizeBytes !== null && sizeBytes > most) throw tooLarge(most)
  // the store accepts the signed length, so the length must be known
  if (storage.direct && !sizeBytes) throw sizeMissing()
  const { id, expires } = await db.transaction().execute((tx) =>
    addUpload(tx, quota, {
      ...{ userId: user.id, fileName, contentType, kind: isImage ? 'image' : 'file' },
      ...{ announcedBytes: sizeBytes || null, lifeSeconds: LIFE_SECONDS },
    }),
  )
  if (storage.direct) {
    const signed = await storage.direct.signPut(id, { seconds: LIFE_SECONDS, sizeBytes, sha256, contentType })
    return { id, uploadURL: signed.url, headers: signed.headers }
  }
  const signature = signUpload(secret, { id, userId: user.id, expires, maxBytes })
  const uploadURL = `${originOf(publicUrl, header)}/objects/${id}?expires=${expires}&signature=${signature}`
  return { id, uploadURL, headers: sha256 ? { 'x-amz-checksum-sha256': sha256 } : {} }
}

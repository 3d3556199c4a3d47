import type { Meta, UppyFile } from '@uppy/core'
import type { AwsBody } from '@uppy/aws-s3'
import { call, fetchUsed } from '../../kit/call.client.ts'
import { readReply } from '../../kit/call.ts'
import { Failure } from '../../kit/failure.ts'
import type { UploadKind } from '../uploader.rules.ts'
import { fingerprintOf, hashOf } from './fingerprint.client.ts'
import {
  CHECKING,
  COMPLETE,
  ABORT,
  findUnfinished,
  listParts,
  PARTED_ABOVE_BYTES,
  signPart,
  startParts,
} from './parts.contract.ts'
import { partBytesOf } from './partSize.rules.ts'
import { required } from '../../kit/values/required.ts'

// Uploads in parts. They resume after a reload, a crash and on another device. The shop identifies a file by samples,
// and the store lists the received parts.

export type ShopFile = UppyFile<Meta, AwsBody>
type Named = { key: string; uploadId: string }
type Earlier = Named & { isStored: boolean }
type Signalled = { key: string; uploadId?: string; signal?: AbortSignal | undefined }

const RETRY_DELAYS_MS = [0, 1000, 3000, 5000]

export const isParted = ({ size }: { size?: number | null }) => (size ?? 0) > PARTED_ABOVE_BYTES

/** Finds the unfinished upload of the same file on any device, or this page's own upload, finished or not. */
export async function findEarlier(file: ShopFile): Promise<Earlier | undefined> {
  const fingerprint = await fingerprintOf(file.data as Blob)
  if (!fingerprint) return undefined
  const { key } = (file as { s3Multipart?: Partial<Named> }).s3Multipart ?? {}
  const { upload } = await persist(() =>
    call(findUnfinished, { fingerprint, sizeBytes: required(file.size, 'the size'), ...(key && { key }) }),
  )
  return upload ?? undefined
}

export const partOptions = (
  kind: UploadKind,
  isWanted: (file: ShopFile) => boolean,
  explain: (e: unknown) => never,
) => ({
  shouldUseMultipart: isParted,

  createMultipartUpload: async (file: ShopFile) => {
    const fingerprint = await fingerprintOf(file.data as Blob)
    return persist(() =>
      call(startParts, {
        filename: file.meta.name.toWellFormed(),
        type: file.type || null,
        metadata: { kind, size: String(file.size), ...(fingerprint && { fingerprint, checksum: 'sha256' }) },
      }),
    ).catch(explain)
  },

  listParts: async (file: ShopFile, { key, uploadId = '', signal }: Signalled) => {
    const parts = await persist(() => call(listParts, { key, uploadId }, signal && { signal })).catch(
      async (error: unknown) =>
        (await isFinished(file, key, error)) ? allParts(required(file.size, 'the size')) : explain(error),
    )
    const same: typeof parts = []
    for (const part of parts) if (await isOf(file.data as Blob, part)) same.push(part)
    return same
  },

  signPart: async (
    _: ShopFile,
    { key, uploadId, partNumber, body, signal }: Named & { partNumber: number; body: Blob; signal?: AbortSignal },
  ) => {
    if (!key || !uploadId || !partNumber) throw new Error('Cannot sign without a key, an uploadId, and a partNumber')
    const sha256 = await hashOf(body)
    const part = { key, uploadId, partNumber: String(partNumber), ...(sha256 && { sha256 }) }
    return { method: 'PUT' as const, ...(await call(signPart, part, signal && { signal }).catch(explain)) }
  },

  completeMultipartUpload: async (
    _: ShopFile,
    { key, uploadId = '', parts, signal }: Signalled & { parts: { ETag?: string; PartNumber?: number }[] },
  ) => {
    const body = JSON.stringify({ parts: parts.map(({ ETag, PartNumber }) => ({ ETag, PartNumber })) })
    const headers = { 'content-type': 'application/json' }
    return (await persist(() => request(COMPLETE, { key, uploadId }, { headers, body, signal })).catch(explain)) as {
      location: string
    }
  },

  /** The library also aborts after an error. Only a cancel ends the upload, because it can resume after an error. */
  abortMultipartUpload: async (file: ShopFile, { key, uploadId = '' }: Signalled) => {
    if (!isWanted(file)) await request(ABORT, { key, uploadId }, {}).catch(() => undefined)
  },
})

/** True if the page was left while the store joined the parts and the reply was lost. */
const isFinished = async (file: ShopFile, key: string, error: unknown) =>
  error instanceof Failure && error.code === 'NoSuchUpload' && (await findEarlier(file))?.key === key

const allParts = (sizeBytes: number) => {
  const partBytes = partBytesOf(sizeBytes)
  return Array.from({ length: Math.ceil(sizeBytes / partBytes) }, (_, i) => ({
    ...{ PartNumber: i + 1, Size: Math.min(partBytes, sizeBytes - i * partBytes), ETag: '"joined"' },
  }))
}

async function isOf(data: Blob, part: { PartNumber: number; Size: number; ChecksumSHA256?: string | undefined }) {
  const partBytes = partBytesOf(data.size)
  const start = (part.PartNumber - 1) * partBytes
  const own = data.slice(start, start + partBytes)
  if (own.size !== part.Size) return false
  // a store without hashes: rely on the samples of the file
  return part.ChecksumSHA256 === undefined || part.ChecksumSHA256 === (await hashOf(own))
}

async function request(
  line: string,
  { key, uploadId }: Named,
  init: { [K in keyof RequestInit]?: RequestInit[K] | undefined },
) {
  const [method, path] = line.split(' ') as [string, string]
  const url = `${path.replace(':uploadId', encodeURIComponent(uploadId))}?key=${encodeURIComponent(key)}`
  return readReply(await fetchUsed(url, { ...init, method } as RequestInit))
}

/** Retries a call after a network or server error, and polls until a check ends. */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (const delays = [...RETRY_DELAYS_MS]; ;) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Failure && error.code === CHECKING) {
        await pause(1000)
        continue
      }
      const isPassing =
        error instanceof TypeError || (error instanceof Failure && error.status >= 500 && error.status !== 507)
      const delay = isPassing ? delays.shift() : undefined
      if (delay === undefined) throw error
      await pause(delay)
    }
  }
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

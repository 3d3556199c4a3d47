import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Failure } from '../../kit/failure.ts'
import { UUID } from '../../kit/uuid.ts'
import { measure } from '../measure.server.ts'
import { MIN_PART_BYTES } from '../parts/parts.contract.ts'
import type { ByteRange, DirectStorage, Limits, Storage, Stored } from '../storage.server.ts'
import { alreadyThere, emptyFile, tooLarge } from '../storing.server.ts'
import type { S3Settings } from '../uploads.settings.server.ts'
import { failureOf, openS3, type Query, type S3, storeDown } from './client.server.ts'
import { JOIN_MS, openParts } from './parts.s3.server.ts'
import { piecesOf } from './pieces.server.ts'
import { readAll, readText } from './xml.rules.ts'
import { firstOf, required } from '../../kit/values/required.ts'

const INCOMING = 'incoming/'
/** The shop ignores other keys of the bucket. */
const OWN_KEY = new RegExp(`^(incoming/|images/)?${UUID}(/|$)`)
const OPEN_MS = 30_000

/** A private S3 bucket. One write uses `pieceBytes` of memory; 10,000 times that is the maximum size of `put`. */
export function openS3Storage(settings: S3Settings, maxBytes: number, pieceBytes = MIN_PART_BYTES): Storage {
  const s3 = openS3(settings)
  const parts = openParts(s3, (key) => openBytes(s3, key).then(({ stream }) => measure(stream)))

  async function put(key: string, stream: Readable, { maxBytes = Infinity, isOnce = false }: Limits = {}) {
    if (isOnce && (await head(s3, key))) throw alreadyThere()
    const hash = createHash('sha256')
    let sizeBytes = 0
    let uploadId: string | null = null
    const sent: { number: number; etag: string }[] = []
    try {
      const pieces = piecesOf(stream, pieceBytes, maxBytes)
      let { value: piece } = await pieces.next()
      while (piece) {
        const next: Buffer | undefined = (await pieces.next()).value ?? undefined
        hash.update(piece)
        sizeBytes += piece.length
        if (!next && sent.length === 0) await putWhole(s3, key, piece, isOnce)
        else {
          uploadId ??= await parts.start(key)
          sent.push(await parts.putBytes(key, uploadId, sent.length + 1, piece))
        }
        piece = next
      }
      if (uploadId) await parts.join(key, uploadId, sent)
      return { sizeBytes, sha256: hash.digest('hex') }
    } catch (error) {
      const sha256 = hash.digest('hex')
      if (isRepeated(error) && (await holds(key, { sizeBytes, sha256 }))) return { sizeBytes, sha256 }
      if (uploadId) await parts.abort(key, uploadId).catch(() => undefined)
      if (error instanceof Failure && error.status === 412) throw alreadyThere()
      throw error
    }
  }

  async function holds(key: string, { sizeBytes, sha256 }: Stored): Promise<boolean> {
    const found = await head(s3, key).catch(() => null)
    if (found?.sizeBytes !== sizeBytes) return false
    return (found.sha256 ?? (await measure((await openBytes(s3, key)).stream)).sha256) === sha256
  }

  const remove = async (key: string) => {
    await s3.send('DELETE', { key }).catch(allow404)
  }

  const listOwnUploads = async () => (await parts.listUploads()).filter(({ key }) => OWN_KEY.test(key))

  async function removeAbandoned(olderThanMs: number, isOpen = async (_: string) => false) {
    const isOld = (at: string | null) => at !== null && Date.now() - Date.parse(at) > olderThanMs
    let removed = 0
    for (const { key, modifiedAt } of await listObjects(s3, INCOMING)) {
      if (!isOld(modifiedAt)) continue
      await remove(key)
      removed++
    }
    for (const { key, uploadId, startedAt } of await listOwnUploads()) {
      if (!isOld(startedAt) || (await isOpen(uploadId))) continue
      await parts.abort(key, uploadId)
      removed++
    }
    return removed
  }

  async function wipe() {
    for (const { key } of await listObjects(s3, '')) if (OWN_KEY.test(key)) await remove(key)
    for (const { key, uploadId } of await listOwnUploads()) await parts.abort(key, uploadId)
  }

  const { start, list, finish, abort } = parts
  const find = (key: string) => head(s3, key)
  return {
    put,
    open: (key, range) => openBytes(s3, key, range),
    find,
    remove,
    removeAbandoned,
    wipe,
    parts: { start, list, finish, abort },
    direct: openDirect(s3, settings, maxBytes),
  }
}

async function openBytes(s3: S3, key: string, range?: ByteRange) {
  const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
  // limits only the wait for the response, not for its bytes
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), OPEN_MS)
  try {
    const answer = await s3.send('GET', { key, headers, signal: late.signal })
    return { stream: Readable.fromWeb(answer.body as ReadableStream), sizeBytes: sizeIn(answer.headers) }
  } catch (error) {
    if (error instanceof Failure && error.status === 404) throw new Failure(404, 'Not found', 'no_bytes')
    if (error instanceof Failure && error.status === 416) {
      const found = await head(s3, key)
      return { stream: Readable.from([]), sizeBytes: found?.sizeBytes ?? 0 }
    }
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** True if the store refuses a retry of a write that succeeded with a lost reply. */
const isRepeated = (error: unknown) =>
  error instanceof Failure && (error.status === 412 || error.code === 'NoSuchUpload')

function allow404(error: unknown) {
  if (!(error instanceof Failure && error.status === 404)) throw error
}

const sizeIn = (headers: Headers) =>
  Number(/\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] ?? headers.get('content-length'))

async function putWhole(s3: S3, key: string, body: Buffer, isOnce: boolean) {
  const sha256 = createHash('sha256').update(body).digest()
  const headers = {
    // stored as metadata, so that HEAD returns it
    'x-amz-checksum-sha256': sha256.toString('base64'),
    ...(isOnce && { 'if-none-match': '*' }),
  }
  await s3.send('PUT', { key, body, sha256: sha256.toString('hex'), headers })
}

type Head = { sizeBytes: number; etag: string; sha256: string | null }

async function head(s3: S3, key: string): Promise<Head | null> {
  try {
    const { headers } = await s3.send('HEAD', { key, headers: { 'x-amz-checksum-mode': 'ENABLED' } })
    const checksum = headers.get('x-amz-checksum-sha256')
    // '...-3' is a hash over the hashes of three parts
    const isOfBytes = checksum !== null && !checksum.includes('-')
    const sha256 = isOfBytes ? Buffer.from(checksum, 'base64').toString('hex') : null
    return { sizeBytes: sizeIn(headers), etag: headers.get('etag') ?? '', sha256 }
  } catch (error) {
    allow404(error)
    return null
  }
}

export async function listObjects(s3: S3, prefix: string) {
  const found: { key: string; modifiedAt: string | null }[] = []
  for (let token: string | null = ''; token !== null;) {
    const query: Query = { 'list-type': '2', prefix, ...(token && { 'continuation-token': token }) }
    const xml: string = await (await s3.send('GET', { query })).text()
    for (const entry of readAll(xml, 'Contents'))
      found.push({ key: required(readText(entry, 'Key'), 'a key'), modifiedAt: readText(entry, 'LastModified') })
    token = readText(xml, 'IsTruncated') === 'true' ? readText(xml, 'NextContinuationToken') : null
  }
  return found
}

function openDirect(s3: S3, settings: S3Settings, maxBytes: number): DirectStorage {
  const incoming = new RegExp(`^/${INCOMING}(${UUID})$`)
  return {
    origin: s3.origin,
    isRedirecting: settings.isRedirecting,

    idOf: (url) => {
      if (!url.startsWith(`${s3.base}/`)) return null
      return incoming.exec(firstOf(url.slice(s3.base.length).split('?')))?.[1] ?? null
    },

    signPut: (id, { seconds, ...fixed }) => signPut(s3, INCOMING + id, { seconds, headers: headersOf(fixed) }),

    signPart: (key, uploadId, number, { seconds, ...fixed }) =>
      signPut(s3, key, { seconds, headers: headersOf(fixed), query: { partNumber: String(number), uploadId } }),

    signGet: (key, { seconds, contentType, disposition }) =>
      s3.presign('GET', key, {
        seconds,
        query: {
          'response-content-type': contentType,
          'response-content-disposition': disposition,
          'response-cache-control': 'private, no-store',
        },
      }),

    accept: async (id): Promise<Stored | null> => {
      const key = INCOMING + id
      const drop = () => s3.send('DELETE', { key }).catch(allow404)
      // the first copy wins, so that a later PUT cannot replace checked bytes
      if (await head(s3, id)) {
        const stored = await measure((await openBytes(s3, id)).stream)
        await drop()
        return stored
      }
      const found = await head(s3, key)
      if (!found) return null
      if (found.sizeBytes > maxBytes || found.sizeBytes === 0) {
        await drop()
        throw found.sizeBytes === 0 ? emptyFile() : tooLarge(maxBytes)
      }
      // the signed PUT can be repeated until it expires, so copy exactly the measured bytes
      await copyIf(s3, { from: `/${settings.bucket}/${key}`, etag: found.etag, to: id })
      const { sizeBytes, sha256 } = found
      // remove the incoming bytes only when the copy exists
      if ((await head(s3, id))?.sizeBytes !== sizeBytes) throw storeDown(`PUT ${id}`, 'the copy is not there')
      const stored = sha256 ? { sizeBytes, sha256 } : await measure((await openBytes(s3, id)).stream)
      await drop()
      return stored
    },
  }
}

/** Copies the bytes with this tag. Ignores a 404, because another call has moved them. */
async function copyIf(s3: S3, { from, etag, to }: { from: string; etag: string; to: string }) {
  const headers = { 'x-amz-copy-source': from, 'x-amz-copy-source-if-match': etag }
  try {
    const xml = await (await s3.send('PUT', { key: to, headers, signal: AbortSignal.timeout(JOIN_MS) })).text()
    // the status 200 precedes the end of a long copy
    if (readAll(xml, 'Error').length > 0) throw failureOf(xml, 500, `PUT ${to}`)
  } catch (error) {
    allow404(error)
  }
}

type Fixed = { sizeBytes?: number | null; sha256?: string | null; contentType?: string | null }

/** Returns the signed headers. The browser adds the length itself. */
const headersOf = ({ sizeBytes, sha256, contentType }: Fixed) => ({
  ...(contentType && { 'content-type': contentType }),
  ...(sha256 && { 'x-amz-checksum-sha256': sha256 }),
  ...(sizeBytes && { 'content-length': String(sizeBytes) }),
})

async function signPut(
  s3: S3,
  key: string,
  {
    seconds,
    headers,
    query = {},
  }: { seconds: number; headers: Record<string, string>; query?: Record<string, string> },
) {
  const url = await s3.presign('PUT', key, { query, headers, seconds })
  const { 'content-length': _, ...sent } = headers
  return { url, headers: sent }
}

import { Readable } from 'node:stream'
import { Failure } from '../../kit/failure.ts'
import { type Answer, handleRaw } from '../../kit/handle.server.ts'
import { COMMON } from '../../kit/serve/headers.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import type { Db } from '../../kit/database.server.ts'
import { findBound } from './image.statements.server.ts'
import type { Decoded, ImageTask } from './imageDecoder.server.ts'
import { decode, inTurn } from './imageProcess.server.ts'
import { IMAGE_TYPES } from '../checks/sniff.rules.ts'
import { tooLarge } from '../storing.server.ts'
import type { Storage } from '../storage.server.ts'
import { FIRST_WIDTH, IMAGE_WIDTHS, MAX_IMAGE_BYTES } from '../uploads.contract.ts'
import { firstOf } from '../../kit/values/required.ts'

const FORMATS = ['avif', 'webp'] as const

const imageKey = (uploadId: string, width: number, format: string) => `images/${uploadId}/${width}.${format}`
export const firstKey = (uploadId: string) => imageKey(uploadId, FIRST_WIDTH, 'webp')
export const imageKeys = (uploadId: string) =>
  IMAGE_WIDTHS.flatMap((width) => FORMATS.map((format) => imageKey(uploadId, width, format)))

export async function makeImages(db: Db, storage: Storage, upload: Original) {
  const color = await storeImages(storage, upload, 'first')
  await db.updateTable('objects').set({ color }).where('id', '=', upload.id).execute()
}

export const makeSizes = (storage: Storage, upload: Original) => storeImages(storage, upload, 'rest')

async function storeImages(storage: Storage, upload: Original, kind: 'first' | 'rest'): Promise<string | null> {
  const { images, color } = await readImages(storage, upload, kind)
  for (const { width, format, bytes } of images)
    await storage.put(imageKey(upload.id, width, format), Readable.from([bytes]))
  return color ?? null
}

export async function checkImage(storage: Storage, upload: Original) {
  await readImages(storage, upload, 'check')
}

type Original = { id: string; userId: string; sizeBytes: number; contentType: string }

async function readImages(storage: Storage, upload: Original, kind: 'check' | 'first' | 'rest') {
  refuseOther(upload)
  const lane = kind === 'rest' ? 'later' : 'now'
  return inTurn(
    upload.userId,
    async () => imagesOf({ kind, original: await readWhole(storage, upload.id) }, lane),
    lane,
  )
}

async function imagesOf(task: ImageTask, lane: 'now' | 'later' = 'now') {
  const decoded: Decoded = await decode(task, lane)
  if (decoded === 'damaged') throw new Failure(400, 'This image is damaged and can’t be shown.', 'damaged_image')
  if (decoded === 'heavy' || decoded === 'large')
    throw new Failure(413, 'The image needs too much memory. Please upload a smaller one.', 'too_large')
  if ('images' in decoded) return decoded
  const { megapixels, of } = decoded
  const article = of === 'AVIF' ? 'an' : 'a'
  throw new Failure(
    413,
    `The image has more than ${megapixels} megapixels, the most for ${article} ${of}. Please make it smaller.`,
    'too_large',
  )
}

function refuseOther({ sizeBytes, contentType }: Original) {
  if (!IMAGE_TYPES.includes(contentType))
    throw new Failure(415, 'The image must be a PNG, JPEG, GIF, WebP or AVIF file.', 'not_an_image')
  if (sizeBytes > MAX_IMAGE_BYTES) throw tooLarge(MAX_IMAGE_BYTES)
}

async function readWhole(storage: Storage, id: string): Promise<Buffer> {
  const { stream } = await storage.open(id)
  return Buffer.concat(await stream.toArray())
}

// link previews share one turn, so that visitors cannot delay uploads
const PREVIEWS = 'previews'

export const readJpeg = (storage: Storage, uploadId: string, size: { width: number; height: number }) =>
  inTurn(PREVIEWS, async () => {
    const original = await readWhole(storage, firstKey(uploadId))
    return Buffer.from(firstOf((await imagesOf({ kind: 'preview', original, size })).images).bytes)
  })

export const drawJpeg = (svg: string) =>
  inTurn(PREVIEWS, async () => {
    const { images } = await imagesOf({ kind: 'drawing', original: Buffer.from(svg) })
    return Buffer.from(firstOf(images).bytes)
  })

/** Serves the images of bound uploads. The image of a URL never changes. */
export function imageRoute(storage: Storage) {
  return handleRaw(
    'GET /images/:id/:file',
    { access: 'public', about: 'A product image: 160, 320, 640 or 1280 pixels wide, as AVIF or WebP.' },
    async ({ params, pool, header }): Promise<Answer> => {
      const [id, file] = [params.id, params.file]
      const key = `images/${id}/${file}`
      if (!isUuid(id) || !imageKeys(id).includes(key)) return missing
      if ((await findBound(pool, { id })).length === 0) return missing
      const etag = `"${id}-${file}"`
      const headers = {
        ...COMMON,
        'content-type': file.endsWith('.avif') ? 'image/avif' : 'image/webp',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'public, max-age=31536000, immutable',
        etag,
      }
      if (header('if-none-match') === etag) return { status: 304, headers }
      try {
        const { stream, sizeBytes } = await storage.open(key)
        return { status: 200, headers: { ...headers, 'content-length': String(sizeBytes) }, body: stream }
      } catch (error) {
        if (!(error instanceof Failure && error.status === 404)) throw error
        return (await sendFirst(storage, id, headers)) ?? missing
      }
    },
  )
}

async function sendFirst(storage: Storage, id: string, headers: Record<string, string>): Promise<Answer | null> {
  const first = await storage.open(firstKey(id)).catch(() => null)
  if (!first) return null
  const { etag: _, ...rest } = headers
  const own = { 'content-type': 'image/webp', 'content-length': String(first.sizeBytes), 'cache-control': 'no-store' }
  return { status: 200, headers: { ...rest, ...own }, body: first.stream }
}

const missing: Answer = {
  status: 404,
  headers: { ...COMMON, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'Not found',
}

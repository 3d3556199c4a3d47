import { Readable } from 'node:stream'
import { Failure } from '../../kit/failure.ts'
import { type Answer, handleRaw } from '../../kit/handle.server.ts'
import { COMMON } from '../../kit/serve/headers.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { statement } from '../../kit/database.server.ts'
import type { Decoded, ImageTask } from './imageDecoder.server.ts'
import { decode, inTurn } from './imageProcess.server.ts'
import { IMAGE_TYPES } from '../checks/sniff.rules.ts'
import { tooLarge } from '../storing.server.ts'
import type { Storage } from '../storage.server.ts'
import { IMAGE_WIDTHS, MAX_IMAGE_BYTES } from '../uploads.contract.ts'

const FORMATS = ['avif', 'webp'] as const

const imageKey = (uploadId: string, width: number, format: string) => `images/${uploadId}/${width}.${format}`
export const imageKeys = (uploadId: string) =>
  IMAGE_WIDTHS.flatMap((width) => FORMATS.map((format) => imageKey(uploadId, width, format)))

/** Stores the images of an upload. Throws a Failure: 413 too large or too many pixels, 415 another type, 400 damaged. */
export async function makeImages(storage: Storage, upload: Original) {
  for (const { width, format, bytes } of await readImages(storage, upload, 'sizes'))
    await storage.put(imageKey(upload.id, width, format), Readable.from([bytes]))
}

/** Throws the same failures as `makeImages` and stores nothing. */
export async function checkImage(storage: Storage, upload: Original) {
  await readImages(storage, upload, 'check')
}

/** The bytes of an upload, with the type that they have. */
type Original = { id: string; userId: string; sizeBytes: number; contentType: string }

async function readImages(storage: Storage, upload: Original, kind: 'check' | 'sizes') {
  refuseOther(upload)
  return inTurn(upload.userId, async () => imagesOf({ kind, original: await readWhole(storage, upload.id) }))
}

async function imagesOf(task: ImageTask) {
  const decoded: Decoded = await decode(task)
  if (decoded === 'damaged') throw new Failure(400, 'This image is damaged and can’t be shown.', 'damaged_image')
  if (decoded === 'heavy')
    throw new Failure(413, 'The image needs too much memory. Please upload a smaller one.', 'too_large')
  if ('images' in decoded) return decoded.images
  throw new Failure(413, `The image has more than ${decoded.megapixels} megapixels.`, 'too_large')
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

// they take turns with members as one, so that strangers cannot hold up uploads
const PREVIEWS = 'previews'

/** A stored image of an upload as JPEG, whole, on white. */
export const readJpeg = (storage: Storage, uploadId: string, size: { width: number; height: number }) =>
  inTurn(PREVIEWS, async () => {
    const original = await readWhole(storage, imageKey(uploadId, 640, 'webp'))
    return Buffer.from((await imagesOf({ kind: 'preview', original, size }))[0]!.bytes)
  })

/** A drawing of the shop as JPEG. */
export const drawJpeg = (svg: string) =>
  inTurn(PREVIEWS, async () => Buffer.from((await imagesOf({ kind: 'drawing', original: Buffer.from(svg) }))[0]!.bytes))

/** Serves the images of bound uploads. An image never changes under its URL. */
export function imageRoute(storage: Storage) {
  return handleRaw(
    'GET /images/:id/:file',
    { access: 'public', about: 'A product image: 320 or 640 pixels wide, as AVIF or WebP.' },
    async ({ params, pool, header }): Promise<Answer> => {
      const [id, file] = [params.id!, params.file!]
      const key = `images/${id}/${file}`
      if (!isUuid(id) || !imageKeys(id).includes(key)) return missing
      if ((await findBound(pool, id)).length === 0) return missing
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
        if (error instanceof Failure && error.status === 404) return missing
        throw error
      }
    },
  )
}

const findBound = statement<{ id: string }, [id: string]>(
  'image_bound',
  "SELECT id FROM objects WHERE id = $1 AND status = 'bound'",
)

const missing: Answer = {
  status: 404,
  headers: { ...COMMON, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'Not found',
}

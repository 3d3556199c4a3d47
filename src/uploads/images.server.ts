import { Readable } from 'node:stream'
import type { Sharp, SharpOptions } from 'sharp'
import { Failure } from '../kit/failure.ts'
import { type Answer, handleRaw } from '../kit/handle.server.ts'
import { COMMON } from '../kit/serve/headers.server.ts'
import { isUuid } from '../kit/uuid.ts'
import { statement } from '../kit/database.server.ts'
import type { Upload } from './binding.server.ts'
import { IMAGE_TYPES } from './sniff.rules.ts'
import { tooLarge } from './storage.disk.server.ts'
import type { Storage } from './storage.server.ts'
import { IMAGE_WIDTHS, MAX_IMAGE_BYTES } from './uploads.contract.ts'

const MAX_PIXELS = 40_000_000
const FORMATS = ['avif', 'webp'] as const
const MAX_QUEUED = 20

const imageKey = (uploadId: string, width: number, format: string) => `images/${uploadId}/${width}.${format}`
export const imageKeys = (uploadId: string) =>
  IMAGE_WIDTHS.flatMap((width) => FORMATS.map((format) => imageKey(uploadId, width, format)))

let waiting = 0
let turn: Promise<unknown> = Promise.resolve()

/** Processes one image at a time, because decoding takes a whole core and much memory. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= MAX_QUEUED)
    throw new Failure(503, 'A lot of images are being processed. Please try again in a moment.', 'busy', {
      retryAfter: 10,
    })
  waiting++
  const mine = turn.then(work)
  turn = mine.catch(() => undefined)
  return mine.finally(() => waiting--)
}

/** Stores the images of an upload. Throws a Failure: 413 over 5 MB or 40 megapixels, 415 another type, 400 damaged. */
export async function makeImages(storage: Storage, upload: Upload) {
  refuseOther(upload)
  await inTurn(async () => {
    for (const { key, bytes } of await encode(upload.id, await readWhole(storage, upload.id)))
      await storage.put(key, Readable.from(bytes))
  })
}

/** Throws the same failures as `makeImages` and stores nothing. */
export async function checkImage(storage: Storage, upload: Original) {
  refuseOther(upload)
  await inTurn(async () => void (await decode(await readWhole(storage, upload.id))))
}

type Original = Pick<Upload, 'id' | 'sizeBytes' | 'contentType'>

function refuseOther({ sizeBytes, contentType }: Original) {
  if (!IMAGE_TYPES.includes(contentType))
    throw new Failure(415, 'The image must be a PNG, JPEG, GIF, WebP or AVIF file.', 'not_an_image')
  if (sizeBytes > MAX_IMAGE_BYTES) throw tooLarge(MAX_IMAGE_BYTES)
}

async function readWhole(storage: Storage, id: string): Promise<Buffer> {
  const { stream } = await storage.open(id)
  return Buffer.concat(await stream.toArray())
}

async function encode(id: string, original: Buffer) {
  const sharp = await loadSharp()
  const largest = await decode(original)
  const images: { key: string; bytes: Buffer }[] = []
  for (const width of IMAGE_WIDTHS) {
    // raw pixels carry no metadata such as place or camera
    const sized = sharp(largest.data, { raw: largest.info }).resize(sizeFor(width))
    images.push(
      { key: imageKey(id, width, 'avif'), bytes: await sized.clone().avif({ quality: 55, effort: 3 }).toBuffer() },
      { key: imageKey(id, width, 'webp'), bytes: await sized.clone().webp({ quality: 78, effort: 4 }).toBuffer() },
    )
  }
  return images
}

const sizeFor = (width: number) => ({
  width,
  height: width * 4,
  fit: 'inside' as const,
  withoutEnlargement: true,
})

async function decode(original: Buffer) {
  const sharp = await loadSharp()
  try {
    const image = sharp(original, { limitInputPixels: MAX_PIXELS, failOn: 'error', autoOrient: true })
    const { width, height } = await image.metadata()
    // checked before decoding, because a few kilobytes may claim gigabytes
    if (width * height > MAX_PIXELS) throw tooManyPixels()
    return await image
      .resize(sizeFor(IMAGE_WIDTHS.at(-1)!))
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
  } catch (error) {
    if (error instanceof Failure) throw error
    if (error instanceof Error && error.message.includes('pixel limit')) throw tooManyPixels()
    throw new Failure(400, 'This image is damaged and can’t be shown.', 'damaged_image')
  }
}

const tooManyPixels = () => new Failure(413, 'The image has more than 40 megapixels.', 'too_large')

type Size = { width: number; height: number }

/** A stored image of an upload as JPEG, whole, on white. */
export const readJpeg = (storage: Storage, uploadId: string, size: Size): Promise<Buffer> =>
  inTurn(async () => {
    const sharp = await loadSharp()
    const image = sharp(await readWhole(storage, imageKey(uploadId, 640, 'webp')))
    return image
      .resize({ ...size, fit: 'contain', background: '#fff' })
      .flatten({ background: '#fff' })
      .jpeg()
      .toBuffer()
  })

/** A drawing of the shop as JPEG. The decoder of drawings opens for this turn only, when no upload is decoded. */
export const drawJpeg = (svg: string): Promise<Buffer> =>
  inTurn(async () => {
    const sharp = await loadSharp()
    const { default: library } = await import('sharp')
    library.unblock({ operation: DRAWINGS })
    try {
      return await sharp(Buffer.from(svg)).flatten().jpeg({ quality: 88 }).toBuffer()
    } finally {
      library.block({ operation: DRAWINGS })
    }
  })

const DRAWINGS = ['VipsForeignLoadSvg']

type SharpMaker = (input: Buffer, options?: SharpOptions) => Sharp
let loading: Promise<SharpMaker> | undefined

/** Loads the image library with the first image, because it takes 40 MB of memory. */
function loadSharp(): Promise<SharpMaker> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1)
    sharp.cache(false)
    // strangers must not reach the library's other decoders (SVG, PDF, TIFF ...)
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: [
        'VipsForeignLoadPng',
        'VipsForeignLoadJpeg',
        'VipsForeignLoadNsgif',
        'VipsForeignLoadWebp',
        'VipsForeignLoadHeif',
      ],
    })
    return sharp
  })
  return loading
}

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

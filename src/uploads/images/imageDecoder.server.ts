import sharp, { type OutputInfo, type Sharp } from 'sharp'
import { weigh } from './weight.rules.ts'
import { FIRST_WIDTH, IMAGE_WIDTHS } from '../uploads.contract.ts'
import { lastOf } from '../../kit/values/required.ts'

// The process started by imageProcess.server.ts. Decodes a picture and returns its sizes or the reason of a refusal.

type Size = { width: number; height: number }
/**
 * 'check' returns no image, 'first' the size that the shop needs at once, 'rest' the other sizes. 'preview' and
 * 'drawing' (an SVG of the shop) return a JPEG.
 */
export type ImageTask = { original: Uint8Array; isAlone?: boolean } & (
  { kind: 'check' | 'first' | 'rest' | 'drawing' } | { kind: 'preview'; size: Size }
)
export type Sized = { width: number; format: ImageFormat; bytes: Uint8Array }
/** 'large': retry while no other picture is decoded. */
export type Decoded = { images: Sized[]; color?: string } | TooMany | 'large' | 'damaged' | 'heavy'
type TooMany = { megapixels: number; of: string }
export type ImageFormat = 'avif' | 'webp' | 'jpeg'

sharp.concurrency(1)
sharp.cache(false)
// uploads must not reach the library's other decoders (SVG, PDF, TIFF ...)
sharp.block({ operation: ['VipsForeignLoad'] })
const LOADERS = ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`)
sharp.unblock({ operation: LOADERS })

async function work(task: ImageTask): Promise<Decoded> {
  try {
    if (task.kind === 'drawing') return { images: [await draw(task.original)] }
    const image = sharp(task.original, { limitInputPixels: false, failOn: 'error', autoOrient: true })
    // checked before decoding, because a few kilobytes can decode to gigabytes
    const { tooMany, isLarge } = weigh(await image.metadata())
    if (tooMany) return tooMany
    if (isLarge && !task.isAlone) return 'large'
    if (task.kind === 'preview') return { images: [await fit(image, task.size)] }
    const largest = await image
      .resize(sizeFor(task.kind === 'rest' ? lastOf(IMAGE_WIDTHS) : FIRST_WIDTH))
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    if (task.kind === 'check') return { images: [] }
    return { images: await encode(largest, task.kind), color: await colorOf(largest) }
  } catch (error) {
    return /memory|alloc/i.test(String(error)) ? 'heavy' : 'damaged'
  }
}

async function fit(image: Sharp, size: Size): Promise<Sized> {
  const background = '#fff'
  const whole = image.resize({ ...size, fit: 'contain', background }).flatten({ background })
  return { width: size.width, format: 'jpeg', bytes: await whole.jpeg().toBuffer() }
}

async function draw(svg: Uint8Array): Promise<Sized> {
  sharp.unblock({ operation: DRAWINGS })
  try {
    const { data, info } = await sharp(svg).flatten().jpeg({ quality: 88 }).toBuffer({ resolveWithObject: true })
    return { width: info.width, format: 'jpeg', bytes: data }
  } finally {
    sharp.block({ operation: DRAWINGS })
  }
}

const DRAWINGS = ['VipsForeignLoadSvg']

/** Cards show images up to this width, with a limited number of bytes. */
const CARD_WIDTH = 640
const CARD_BYTES = 20 * 1024

type Raw = { data: Buffer; info: OutputInfo }

async function encode({ data, info: raw }: Raw, kind: 'first' | 'rest') {
  const images: Sized[] = []
  for (const width of kind === 'first' ? [FIRST_WIDTH] : IMAGE_WIDTHS) {
    // raw pixels contain no metadata such as place or camera
    const sized = (scale: number) => sharp(data, { raw }).resize(sizeFor(Math.round(width * scale)))
    const most = width <= CARD_WIDTH ? CARD_BYTES : Infinity
    const isFirst = width === FIRST_WIDTH
    if (kind === 'rest')
      images.push({
        width,
        format: 'avif',
        bytes: await within(most, [55, 45, 35, 25], (quality, scale) =>
          sized(scale).avif({ quality, effort: 3, chromaSubsampling: '4:2:0' }),
        ),
      })
    if (isFirst === (kind === 'first'))
      images.push({
        width,
        format: 'webp',
        bytes: await within(most, [78, 65, 50, 35, 20], (quality, scale) => sized(scale).webp({ quality, effort: 4 })),
      })
  }
  return images
}

/** Encodes with the best quality within the limit. As a last resort, uses fewer pixels, which the page enlarges. */
async function within(
  mostBytes: number,
  qualities: number[],
  make: (quality: number, scale: number) => Sharp,
): Promise<Buffer> {
  for (const quality of qualities) {
    const bytes = await make(quality, 1).toBuffer()
    if (bytes.length <= mostBytes) return bytes
  }
  for (let scale = 0.7; ; scale *= 0.7) {
    const bytes = await make(lastOf(qualities), scale).toBuffer()
    if (bytes.length <= mostBytes) return bytes
  }
}

async function colorOf({ data, info: raw }: Raw): Promise<string> {
  const one = sharp(data, { raw }).flatten({ background: '#fff' }).resize(1, 1, { fit: 'fill' }).toColourspace('srgb')
  const [red = 0, green = red, blue = red] = await one.raw().toBuffer()
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** The limited height bounds the memory of the encoder. */
const sizeFor = (width: number) => ({
  width,
  height: Math.min(width * 4, 1920),
  fit: 'inside' as const,
  withoutEnlargement: true,
})

process.on('message', async (task: ImageTask) => void process.send?.(await work(task)))
process.on('disconnect', () => process.exit())

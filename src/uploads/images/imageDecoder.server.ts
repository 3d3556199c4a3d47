import sharp, { type OutputInfo, type Sharp } from 'sharp'
import { IMAGE_WIDTHS } from '../uploads.contract.ts'

// The process that imageProcess.server.ts starts: reads a picture and answers its sizes, or why there are none.

type Size = { width: number; height: number }
/** 'check' answers no image, 'sizes' all that the shop serves, 'preview' and 'drawing' (an SVG of the shop) one JPEG. */
export type ImageTask = { original: Uint8Array } & (
  { kind: 'check' | 'sizes' | 'drawing' } | { kind: 'preview'; size: Size }
)
export type Sized = { width: number; format: ImageFormat; bytes: Uint8Array }
export type Decoded = { images: Sized[] } | { megapixels: number } | 'damaged' | 'heavy'
export type ImageFormat = 'avif' | 'webp' | 'jpeg'

// an AVIF decodes as a whole, at 17 bytes a pixel
const MEGAPIXELS = { heif: 16, other: 40 }

sharp.concurrency(1)
sharp.cache(false)
// strangers must not reach the library's other decoders (SVG, PDF, TIFF ...)
sharp.block({ operation: ['VipsForeignLoad'] })
const LOADERS = ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`)
sharp.unblock({ operation: LOADERS })

async function work(task: ImageTask): Promise<Decoded> {
  try {
    if (task.kind === 'drawing') return { images: [await draw(task.original)] }
    const image = sharp(task.original, { limitInputPixels: false, failOn: 'error', autoOrient: true })
    const { width, height, format } = await image.metadata()
    const megapixels = format === 'heif' ? MEGAPIXELS.heif : MEGAPIXELS.other
    // checked before decoding, because a few kilobytes may claim gigabytes
    if (width * height > megapixels * 1_000_000) return { megapixels }
    if (task.kind === 'preview') return { images: [await fit(image, task.size)] }
    const largest = await image
      .resize(sizeFor(IMAGE_WIDTHS.at(-1)!))
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return { images: task.kind === 'check' ? [] : await encode(largest) }
  } catch (error) {
    return /memory|alloc/i.test(String(error)) ? 'heavy' : 'damaged'
  }
}

async function fit(image: Sharp, size: Size): Promise<Sized> {
  const background = '#fff'
  const whole = image.resize({ ...size, fit: 'contain', background }).flatten({ background })
  return { width: size.width, format: 'jpeg', bytes: await whole.jpeg().toBuffer() }
}

/** The decoder of drawings opens for this task only. */
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

async function encode({ data, info: raw }: { data: Buffer; info: OutputInfo }) {
  const images: Sized[] = []
  for (const width of IMAGE_WIDTHS) {
    // raw pixels carry no metadata such as place or camera
    const sized = sharp(data, { raw }).resize(sizeFor(width))
    images.push(
      { width, format: 'avif', bytes: await sized.clone().avif({ quality: 55, effort: 3 }).toBuffer() },
      { width, format: 'webp', bytes: await sized.clone().webp({ quality: 78, effort: 4 }).toBuffer() },
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

process.on('message', async (task: ImageTask) => void process.send!(await work(task)))
process.on('disconnect', () => process.exit())

import type { AwsBody } from '@uppy/aws-s3'
import type { Meta, Uppy } from '@uppy/core'
import type { ShopFile } from '../parts/parts.client.ts'
import { required } from '../../kit/values/required.ts'

// Shrinks pictures in the browser that exceed the server's memory limit. Cards show 1280 pixels at most.

const MAX_MEGAPIXELS = { avif: 5, other: 12 }
const MEGAPIXELS = 4

export async function shrinkLarge(uppy: Uppy<Meta, AwsBody>, ids: string[]) {
  for (const file of ids.map((id) => uppy.getFile(id))) {
    if (!file || !(file.data instanceof Blob)) continue
    // the server reports the problem of a picture that the browser cannot decode
    const data = await shrink(file.data).catch(() => null)
    if (!data) continue
    const name = file.meta.name.replace(/\.\w+$/, `.${data.type.slice('image/'.length)}`)
    const meta = { ...file.meta, name, type: data.type }
    uppy.setFileState(file.id, { data, size: data.size, type: data.type, meta } as Partial<ShopFile>)
  }
}

async function shrink(picture: Blob): Promise<Blob | null> {
  const bitmap = await createImageBitmap(picture)
  const megapixels = (bitmap.width * bitmap.height) / 1_000_000
  if (megapixels <= MAX_MEGAPIXELS[picture.type === 'image/avif' ? 'avif' : 'other']) return null
  const scale = Math.sqrt(MEGAPIXELS / megapixels)
  const size = { width: Math.round(bitmap.width * scale), height: Math.round(bitmap.height * scale) }
  const canvas = Object.assign(document.createElement('canvas'), size)
  required(canvas.getContext('2d'), 'the canvas').drawImage(bitmap, 0, 0, size.width, size.height)
  bitmap.close()
  const asType = (type: string) => new Promise<Blob | null>((done) => canvas.toBlob(done, type, 0.9))
  const webp = await asType('image/webp')
  // browsers without a WebP encoder return a PNG, which may be too large
  return webp?.type === 'image/webp' ? webp : asType('image/jpeg')
}

import { MAX_IMAGE_BYTES } from './uploads.contract.ts'

// What the two uploaders take. The server checks all of it again by the bytes themselves.

export type UploadKind = 'image' | 'file'

export const TITLES = { image: 'Product image', file: 'Digital file' }

/** What an uploader takes; `maxFileMb` is what the shop lets a product deliver. */
export const termsOf = (kind: UploadKind, maxFileMb: number) =>
  kind === 'image'
    ? { note: 'One image, up to 5 MB', maxBytes: MAX_IMAGE_BYTES, types: ['image/*'] }
    : { note: `One file, up to ${maxFileMb.toLocaleString('en')} MB`, maxBytes: maxFileMb * MB, types: null }

const MB = 1024 * 1024

const SHOWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']

/** What is wrong with a file of this claimed type, in a sentence, or null. SVG, HEIC and TIFF are images, but not here. */
export function refuseType(kind: UploadKind, type: string | undefined): string | null {
  if (kind !== 'image' || !type?.startsWith('image/') || SHOWN.includes(type)) return null
  return 'The image must be a PNG, JPEG, GIF, WebP or AVIF file.'
}

/** A finished upload, as the form that asked for it keeps it. */
export type Uploaded = { url: string; name: string; sizeBytes: number; previewUrl: string | null }

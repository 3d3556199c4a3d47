import { MAX_IMAGE_BYTES } from './uploads.contract.ts'

// The limits of both uploaders. The server checks them again on the bytes.

export type UploadKind = 'image' | 'file'

export const TITLES = { image: 'Product image', file: 'Digital file' }

/** `maxFileMb` is the configured limit for digital files. */
export const termsOf = (kind: UploadKind, maxFileMb: number) =>
  kind === 'image'
    ? { note: 'One image, up to 5 MB', maxBytes: MAX_IMAGE_BYTES, types: ['image/*'] }
    : { note: `One file, up to ${maxFileMb.toLocaleString('en')} MB`, maxBytes: maxFileMb * MB, types: null }

const MB = 1024 * 1024

const SHOWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']

/** The problem with a claimed type, or null. SVG, HEIC and TIFF are not accepted as images. */
export function refuseType(kind: UploadKind, type: string | undefined): string | null {
  if (kind !== 'image' || !type?.startsWith('image/') || SHOWN.includes(type)) return null
  return 'The image must be a PNG, JPEG, GIF, WebP or AVIF file.'
}

export type Uploaded = { url: string; name: string; sizeBytes: number; previewUrl: string | null }

/** Files of an account. The bytes of a day are the limit that counts, so that a seller can move a whole shop. */
export const FILES_AN_HOUR = 300

import { MAX_IMAGE_BYTES } from './uploads.contract.ts'

// Limits of the uploaders. The server checks them again for the uploaded bytes.

export type UploadKind = 'image' | 'file'
export type UploadUse = UploadKind | 'files' | 'preview' | 'sample' | 'evidence'

export const TITLES: Record<UploadUse, string> = {
  image: 'Product image',
  file: 'Digital file',
  files: 'Digital files',
  preview: 'Preview picture',
  sample: 'Sample',
  evidence: 'Evidence',
}

export const kindOf = (use: UploadUse): UploadKind => (use === 'image' || use === 'preview' ? 'image' : 'file')

const MB = 1024 * 1024
export const MAX_SAMPLE_BYTES = 20 * MB
/** All files of a dispute together: the lowest limit of the payment providers. */
export const MAX_EVIDENCE_BYTES = 4.5 * MB
export const EVIDENCE_TYPES = ['application/pdf', 'image/png', 'image/jpeg']
const SAMPLES = [
  'audio/*',
  'video/*',
  'application/pdf',
  'application/epub+zip',
  '.epub',
  '.flac',
  '.m4a',
  '.opus',
  '.pdf',
]

export function termsOf(use: UploadUse, maxFileMb: number): { note: string; maxBytes: number; types: string[] | null } {
  const most = `up to ${maxFileMb.toLocaleString('en')} MB`
  if (kindOf(use) === 'image') return { note: 'One image, up to 5 MB', maxBytes: MAX_IMAGE_BYTES, types: ['image/*'] }
  if (use === 'sample')
    return {
      note: 'One recording, film, PDF or EPUB, up to 20 MB',
      maxBytes: Math.min(MAX_SAMPLE_BYTES, maxFileMb * MB),
      types: SAMPLES,
    }
  if (use === 'evidence')
    return {
      note: 'One PDF, PNG or JPEG, up to 4.5 MB',
      maxBytes: Math.min(MAX_EVIDENCE_BYTES, maxFileMb * MB),
      types: EVIDENCE_TYPES,
    }
  const note = use === 'files' ? `Files or a folder, each ${most}` : `One file, ${most}`
  return { note, maxBytes: maxFileMb * MB, types: null }
}

const SHOWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']

/** Returns the problem of a claimed type, or null. SVG, HEIC and TIFF are not accepted as images. */
export function refuseType(kind: UploadKind, type: string | undefined): string | null {
  if (kind !== 'image' || !type?.startsWith('image/') || SHOWN.includes(type)) return null
  return 'The image must be a PNG, JPEG, GIF, WebP or AVIF file.'
}

export type Uploaded = { url: string; name: string; sizeBytes: number; previewUrl: string | null }

/** Maximum of concurrent uploads of an account. The server refuses more. */
export const UPLOADS_AT_ONCE = 3

/** Files per account. High, so that a seller can move a whole shop; the daily bytes are the stricter limit. */
export const FILES_AN_HOUR = 300

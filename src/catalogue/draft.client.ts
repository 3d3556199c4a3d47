import type { Uploaded } from '../uploads/uploader.rules.ts'
import type { AddProductValues } from './AddProductDialog.tsx'
import type { Uploads } from './useAddProduct.ts'

// What was typed into Add Product, and what was uploaded for it, outlives a session that ended, a reload and a closed
// dialog, in this tab alone.

const KEY = 'product-draft'
/** The shop keeps an upload that nothing uses for a day. */
const UPLOADS_LAST_MS = 20 * 3600_000

export type Draft = { values: AddProductValues; uploads: Uploads }
type Kept = Draft & { userId: string; uploadedAt: number }

const NOTHING: Uploads = { image: null, file: null }

/** What this customer had typed and uploaded; what another one of this tab had goes. */
export function readDraft(userId: string): Draft | null {
  const kept = read()
  if (kept?.userId !== userId) {
    dropDraft()
    return null
  }
  return { values: kept.values, uploads: Date.now() - kept.uploadedAt < UPLOADS_LAST_MS ? kept.uploads : NOTHING }
}

export function keepDraft(userId: string, { values, uploads }: Draft) {
  const isBlank = Object.values(values).every((text) => text === '')
  if (isBlank && !uploads.image && !uploads.file) return dropDraft()
  const before = read()
  const isSame = before?.uploads.image?.url === uploads.image?.url && before?.uploads.file?.url === uploads.file?.url
  const draft: Kept = {
    userId,
    values,
    uploads: { image: withoutPreview(uploads.image), file: withoutPreview(uploads.file) },
    uploadedAt: isSame && before ? before.uploadedAt : Date.now(),
  }
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft))
  } catch {
    // without storage it lasts as long as the page
  }
}

// the address of a preview ends with the page
const withoutPreview = (upload: Uploaded | null) => upload && { ...upload, previewUrl: null }

function read(): Kept | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<Kept> | null
    return kept?.values ? ({ uploads: NOTHING, uploadedAt: 0, ...kept } as Kept) : null
  } catch {
    // no storage, or not ours: there is no draft
    return null
  }
}

export function dropDraft() {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // nothing was kept
  }
}

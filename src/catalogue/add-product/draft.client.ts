import { tabStorage } from '../../kit/storage.client.ts'
import type { Uploaded } from '../../uploads/uploader.rules.ts'
import type { AddProductValues } from './addProduct.rules.ts'
import type { Uploads } from './useAddProduct.ts'

// Stores a product draft for this tab. It survives a reload, a sign-out and the closing of the dialog.

const KEY = 'product-draft'
/** Less than a day, after which the server deletes unused uploads. */
const UPLOADS_LAST_MS = 20 * 3600_000

export type Draft = { values: AddProductValues; uploads: Uploads }
type StoredDraft = Draft & { userId: string; uploadedAt: number }

export const NOTHING: Uploads = { image: null, file: null }

/** Reads this member's draft. Deletes a draft of another member who used this tab. */
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
  const draft: StoredDraft = {
    userId,
    values,
    uploads: { image: withoutPreview(uploads.image), file: withoutPreview(uploads.file) },
    uploadedAt: isSame && before ? before.uploadedAt : Date.now(),
  }
  tabStorage.writeJson(KEY, draft)
}

// a preview URL expires with the page
const withoutPreview = (upload: Uploaded | null) => upload && { ...upload, previewUrl: null }

function read(): StoredDraft | null {
  const kept = tabStorage.readJson(KEY) as Partial<StoredDraft> | null
  return kept?.values ? ({ uploads: NOTHING, uploadedAt: 0, ...kept } as StoredDraft) : null
}

export const dropDraft = () => tabStorage.write(KEY, null)

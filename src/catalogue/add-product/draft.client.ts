import { tabStorage } from '../../kit/storage.client.ts'
import type { Uploaded } from '../../uploads/uploader.rules.ts'
import { type AddProductValues, EMPTY } from './addProduct.rules.ts'
import { type Entered, type Unfinished, UPLOADS_LAST_DAYS } from './unfinished.contract.ts'
import type { AllUploads } from './useAddProduct.ts'

// Stores a product draft for this tab. It survives a reload, a sign-out and the closing of the dialog.

const KEY = 'product-draft'
/** Shorter than the time for which the server retains the uploads. */
const UPLOADS_LAST_MS = UPLOADS_LAST_DAYS * 24 * 3600_000 - 4 * 3600_000

/** `id` is the id of the unfinished product in the account. */
export type Draft = { id: string; values: AddProductValues; uploads: AllUploads }
type StoredDraft = Draft & { userId: string; uploadedAt: number }

export const NOTHING: AllUploads = { image: null, file: null, more: [] }

/** Reads this member's draft. Deletes a draft of another member who used this tab. */
export function readDraft(userId: string): Draft | null {
  const kept = read()
  if (kept?.userId !== userId) {
    dropDraft()
    return null
  }
  const { id, values, uploads, uploadedAt } = kept
  return { id, values, uploads: Date.now() - uploadedAt < UPLOADS_LAST_MS ? uploads : NOTHING }
}

/** Stores the draft in this tab. Returns false for a blank one, which is deleted. */
export function keepDraft(userId: string, { id, values, uploads }: Draft): boolean {
  if (isBlank({ values, uploads })) {
    dropDraft()
    return false
  }
  const before = read()
  const isSame = before !== null && urlsOf(before.uploads) === urlsOf(uploads)
  const draft: StoredDraft = {
    ...{ userId, id, values },
    uploads: withoutPreviews(uploads),
    uploadedAt: isSame ? before.uploadedAt : Date.now(),
  }
  tabStorage.writeJson(KEY, draft)
  return true
}

const isBlank = ({ values, uploads: { image, file, more } }: Omit<Draft, 'id'>): boolean =>
  Object.values(values).every((text) => text === '') && !image && !file && more.length === 0

const urlsOf = ({ image, file, more }: AllUploads) =>
  [image, file, ...more].map((upload) => upload?.url ?? '').join(' ')

// a preview URL expires with the page
const withoutPreview = (upload: Uploaded) => ({ ...upload, previewUrl: null })
const withoutPreviews = ({ image, file, more }: AllUploads): AllUploads => ({
  image: image && withoutPreview(image),
  file: file && withoutPreview(file),
  more: more.map(withoutPreview),
})

function read(): StoredDraft | null {
  const kept = tabStorage.readJson(KEY) as Partial<StoredDraft> | null
  if (!kept?.values || !kept.userId) return null
  return {
    userId: kept.userId,
    id: kept.id ?? crypto.randomUUID(),
    values: { ...EMPTY, ...kept.values },
    uploads: { ...NOTHING, ...kept.uploads },
    uploadedAt: kept.uploadedAt ?? 0,
  }
}

export const dropDraft = () => tabStorage.write(KEY, null)

const toStored = ({ url, name, sizeBytes }: Uploaded) => ({ url, name, sizeBytes })

/** Converts a draft to the form in which the account stores it. */
export const enteredOf = ({ values: { delivery, ...texts }, uploads }: Omit<Draft, 'id'>): Entered => ({
  ...texts,
  delivery: delivery === '' ? null : delivery,
  image: uploads.image && toStored(uploads.image),
  file: uploads.file && toStored(uploads.file),
  more: uploads.more.map(toStored),
})

/** Converts an unfinished product of the account to a draft. Drops uploads that the server may have deleted. */
export function draftOf({ id, entered, updatedAt }: Unfinished): Draft {
  const { image, file, more, delivery, ...texts } = entered
  const hasUploads = Date.now() - Date.parse(updatedAt) < UPLOADS_LAST_MS
  const shown = (upload: Entered['file']) => upload && { ...upload, previewUrl: null }
  return {
    id,
    values: { ...texts, delivery: delivery ?? '' },
    uploads: hasUploads
      ? { image: shown(image), file: shown(file), more: more.map((upload) => ({ ...upload, previewUrl: null })) }
      : NOTHING,
  }
}

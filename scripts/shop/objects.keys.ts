import { firstKey, imageKeys } from '../../src/uploads/images/images.server.ts'

// The storage keys of uploads and of their image sizes, which derive from the uploads.

export type StoredKey = {
  key: string
  sha256: string | null
  /** The file may be missing: the upload is unused, or a job has not made this size yet. */
  mayLack: boolean
}
export type KeyRow = { id: string; sha256: string; is_bound: boolean; is_image: boolean; is_shown: boolean }

/**
 * Selects a `KeyRow` for each stored upload; a condition or order may follow. An upload with a colour has image sizes,
 * even if its sender gave no image type. A database before its migration may lack the colour column.
 */
export const SELECT_KEYS = `SELECT id, sha256, status = 'bound' AS is_bound,
    to_jsonb(objects) ->> 'color' IS NOT NULL OR coalesce(content_type, '') LIKE 'image/%' AS is_image,
    EXISTS (SELECT FROM public.products WHERE image_object_id = objects.id) AS is_shown
  FROM public.objects WHERE status <> 'issued'`

export function* keysOf({ id, sha256, is_bound, is_image, is_shown }: KeyRow): Generator<StoredKey> {
  yield { key: id, sha256, mayLack: !is_bound }
  if (!is_image) return
  for (const key of imageKeys(id)) yield { key, sha256: null, mayLack: !is_shown || key !== firstKey(id) }
}

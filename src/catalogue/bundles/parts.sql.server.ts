import { decimalOf } from '../../kit/sql/json.server.ts'

/** The price of a part `q` alone; where buyers choose it, the suggestion. */
export const PART_CENTS = 'coalesce(q.suggested_cents, q.price_cents)'

/** The fields of a part. */
export const PART_FIELDS = `'id', q.id, 'title', q.title, 'price', ${decimalOf(PART_CENTS)},
  'categoryId', q.category_id, 'imageUrl', '/images/' || q.image_object_id || '/640.webp', 'kind', q.delivery, 'coverId', q.variant_of`

import { decimalOf, isoOf } from '../kit/sql.server.ts'

// Pieces of SQL that more than one statement needs. Those of a product read `products AS p`.

/** The fields of `Product` as pairs for json_build_object; what cannot be bought is not active. */
const fields = (description: string) => `
  'id', p.id, 'title', p.title, 'description', nullif(${description}, ''), 'price', ${decimalOf('p.price_cents')},
  'categoryId', p.category_id, 'imageUrl', '/images/' || p.image_object_id || '/640.webp', 'isActive', p.is_listed`

export const PRODUCT_FIELDS = fields('p.description')

/** The same for a list that shows two lines of the description: no more of it than they hold. */
export const BRIEF_FIELDS = fields('left(p.description, 200)')

/** What else a seller is told of a product, as pairs in the same way; `unlistedReason` is null for one that is listed. */
export const STANDING_FIELDS = `
  'createdAt', ${isoOf('p.created_at')},
  'isFileMissing', p.delivery = 'file' AND p.file_id IS NULL,
  'unlistedReason', CASE
    WHEN p.delivery = 'file' AND p.file_id IS NULL
      THEN 'Add the file buyers will get. Your product goes on sale as soon as we’ve checked it.'
    WHEN NOT p.is_active THEN 'You took it off sale.' END`

/** A moment travels as microseconds since 1970: a JavaScript date would lose the last three digits. */
export const CREATED = '(extract(epoch FROM p.created_at) * 1000000)::bigint'
export const momentOf = (microseconds: string) =>
  `timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond'`

/**
 * How a member is called where others read it: a surname is nobody's business but its first letter. Whoever has left is
 * called so.
 */
export const shownName = (user: string, nobody: string) => `CASE
  WHEN ${user}.erased_at IS NOT NULL THEN 'Former member'
  WHEN ${user}.first_name IS NULL OR btrim(${user}.first_name) = '' THEN '${nobody}'
  ELSE btrim(${user}.first_name) || coalesce(' ' || nullif(left(btrim(${user}.last_name), 1), '') || '.', '') END`

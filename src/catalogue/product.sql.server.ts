import { decimalOf } from '../kit/money.sql.server.ts'

// Pieces of SQL that more than one statement needs. Those of a product read `products AS p`.

/** The fields of `Product` as pairs for json_build_object; what cannot be bought is not active. */
const fields = (description: string) => `
  'id', p.id, 'title', p.title, 'description', nullif(${description}, ''), 'price', ${decimalOf('p.price_cents')},
  'categoryId', p.category_id, 'imageUrl', '/images/' || p.image_object_id || '/640.webp', 'isActive', p.is_listed`

export const PRODUCT_FIELDS = fields('p.description')

/** The same for a list that shows two lines of the description: no more of it than they hold. */
export const BRIEF_FIELDS = fields('left(p.description, 200)')

/** How a member is called where others read it: a surname is nobody's business but its first letter. */
export const shownName = (user: string, nobody: string) => `CASE
  WHEN ${user}.first_name IS NULL OR btrim(${user}.first_name) = '' THEN '${nobody}'
  ELSE btrim(${user}.first_name) || coalesce(' ' || nullif(left(btrim(${user}.last_name), 1), '') || '.', '') END`

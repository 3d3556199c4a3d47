import { decimalOf } from '../kit/sql/json.server.ts'

// SQL fragments shared by statements. Those of a product read `products AS p`.

/** The public name of a member: the first name and the initial of the surname. Deleted accounts have a name of their own. */
export const shownName = (user: string, nobody: string) => `CASE
  WHEN ${user}.erased_at IS NOT NULL THEN 'Former member'
  WHEN ${user}.first_name IS NULL OR btrim(${user}.first_name) = '' THEN '${nobody}'
  ELSE btrim(${user}.first_name) || coalesce(' ' || nullif(left(btrim(${user}.last_name), 1), '') || '.', '') END`

const REVIEWS = 'r.stars_1 + r.stars_2 + r.stars_3 + r.stars_4 + r.stars_5'
const AVERAGE = `round((r.stars_1 + 2 * r.stars_2 + 3 * r.stars_3 + 4 * r.stars_4 + 5 * r.stars_5)::numeric / nullif(${REVIEWS}, 0), 1)`
/** The fields of `Product` as pairs for json_build_object. A product that cannot be bought is not active. */
const fields = (description: string) => `
  'id', p.id, 'title', p.title, 'description', nullif(${description}, ''), 'price', ${decimalOf('p.price_cents')}, 'suggested', ${decimalOf('p.suggested_cents')},
  'most', CASE WHEN p.has_variants THEN ${decimalOf('coalesce(p.most_cents, p.price_cents)')} END, 'kind', p.delivery, 'categoryId', p.category_id, 'imageUrl', '/images/' || p.image_object_id || '/640.webp', 'imageColor', (SELECT o.color FROM objects o WHERE o.id = p.image_object_id),
  'isActive', p.is_listed,
  'sellerName', (SELECT ${shownName('u', 'Primo seller')} FROM users u WHERE u.id = p.seller_id),
  'rated', (SELECT json_build_object('stars', ${AVERAGE}, 'reviews', ${REVIEWS}, 'samples', r.samples)
    FROM ratings r WHERE r.product_id = p.id AND ${REVIEWS} > 0)`

export const PRODUCT_FIELDS = fields('p.description')

/** The same for lists, without the marks of Markdown. */
export const LISTED_FIELDS = fields('unmarked(p.description)')

/** Two lines of the description are all that some lists show. */
export const BRIEF_FIELDS = fields('brief(p.description)')

/** A code `c` that can be sold. */
export const IS_FREE_CODE = `c.state = 'free' AND (c.expires_at IS NULL OR c.expires_at > now())`

/** Shoppers see the page of a product that has sold out, without a place in the lists. */
export const IS_SOLD_OUT = `(p.is_out_of_stock AND p.is_active AND p.taken_down IS NULL AND NOT p.is_suspended AND p.deleted_at IS NULL
  AND NOT p.is_parent_off AND (p.delivery = 'bundle' OR p.delivery = 'code' AND EXISTS (SELECT FROM codes c WHERE c.product_id = p.id)
    OR p.has_variants AND EXISTS (SELECT FROM products v JOIN codes c ON c.product_id = v.id WHERE v.variant_of = p.id)))`

/** Times travel as microseconds since 1970: a JavaScript date would lose the last three digits. */
export const CREATED = '(extract(epoch FROM p.created_at) * 1000000)::bigint'
export const momentOf = (microseconds: string) =>
  `timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond'`

/** The line of the entitlement `e` was sold and not returned; its copies may be given away. The line of a claimed gift is no sale. */
export const IS_SALE = '(e.revoked_at IS NULL OR e.given_at IS NOT NULL) AND NOT e.is_gift'

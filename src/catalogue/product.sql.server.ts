// Pieces of SQL that more than one statement needs. All of them read `products AS p`.

/** Cents as a decimal text, without a float on the way. */
const PRICE = "(p.price_cents / 100)::text || '.' || lpad((p.price_cents % 100)::text, 2, '0')"

/** The fields of `Product` as pairs for json_build_object; what cannot be bought is not active. */
export const PRODUCT_FIELDS = `
  'id', p.id, 'title', p.title, 'description', nullif(p.description, ''), 'price', ${PRICE},
  'categoryId', p.category_id, 'imageUrl', '/images/' || p.image_object_id || '/640.webp', 'isActive', p.is_listed`

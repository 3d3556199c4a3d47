import { decimalOf } from '../../kit/sql/json.server.ts'

/** The variants of `products AS p` as JSON, without those that are withdrawn. */
export const VARIANTS = `(SELECT coalesce(json_agg(json_build_object('id', v.id, 'name', v.variant_name, 'title', v.title,
      'price', ${decimalOf('v.price_cents')}, 'isActive', v.is_on_sale, 'isOutOfStock', v.is_out_of_stock)
      ORDER BY v.variant_position, v.id), '[]')
    FROM products v WHERE v.variant_of = p.id AND v.is_active AND v.deleted_at IS NULL)`

/** The page where a product is sold: a variant has none of its own. */
export const pageOf = (product: string) => `coalesce(${product}.variant_of, ${product}.id)`

/** For what counts for a product and all of its variants: `product_id = ${withVariants('p.id')}`. An array lets the index lead to the rows. */
export const withVariants = (id: string) =>
  `ANY (ARRAY (SELECT w.id FROM products w WHERE w.id = ${id} OR w.variant_of = ${id}))`

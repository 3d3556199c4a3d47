import { decimalOf } from '../../kit/sql.server.ts'

/** The variants of `products AS p` as JSON, without those that are withdrawn. */
export const VARIANTS = `(SELECT coalesce(json_agg(json_build_object('id', v.id, 'name', v.variant_name, 'title', v.title,
      'price', ${decimalOf('v.price_cents')}, 'isActive', v.is_on_sale, 'isOutOfStock', v.is_out_of_stock)
      ORDER BY v.variant_position, v.id), '[]')
    FROM products v WHERE v.variant_of = p.id AND v.is_active AND v.deleted_at IS NULL)`

/** The page where a product is sold: a variant has none of its own. */
export const pageOf = (product: string) => `coalesce(${product}.variant_of, ${product}.id)`

/** The product $n and its variants, for what counts for all of them. */
export const withVariants = (id: string) => `(SELECT id FROM products WHERE id = ${id} OR variant_of = ${id})`

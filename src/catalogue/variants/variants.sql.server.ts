/** The page where a product is sold: a variant has none of its own. */
export const pageOf = (product: string) => `coalesce(${product}.variant_of, ${product}.id)`

/** For what counts for a product and all of its variants: `product_id = ${withVariants('p.id')}`. An array lets the index lead to the rows. */
export const withVariants = (id: string) =>
  `ANY (ARRAY (SELECT w.id FROM products w WHERE w.id = ${id} OR w.variant_of = ${id}))`

import type pg from 'pg'
import { addCodes } from '../src/delivery/codes/codes.store.server.ts'
import type { CodeVault } from '../src/delivery/codes/vault.server.ts'
import type { Db } from '../src/kit/database.server.ts'
import { toCents } from '../src/kit/money.ts'
import { codesOf, idOf } from './made.ts'
import type { DemoProduct } from './seed.ts'

// Variants and bundles of the demo store. Triggers copy a product's texts to variants, and their prices back.

type Shop = { pool: Pick<pg.Pool, 'query'>; db: Db; vault: CodeVault }

/** Adds the variants of a product, or the parts of a bundle. The parts must exist before the bundle. */
export async function addOffers({ pool, db, vault }: Shop, product: DemoProduct) {
  for (const [position, { name, price, codes = 0, license }] of (product.variants ?? []).entries()) {
    const slug = `${product.slug} ${name}`
    await pool.query(INSERT_VARIANT, [idOf(slug), product.id, name, position, toCents(price)])
    if (license)
      await pool.query(
        'INSERT INTO license_terms (product_id, prefix, devices_per_seat, valid_days) VALUES ($1, $2, $3, $4)',
        [idOf(slug), license.prefix, license.devicesPerSeat, license.validDays],
      )
    if (codes === 0) continue
    await addCodes(db, vault, idOf(slug), codesOf({ slug, codes }))
    await pool.query('UPDATE products SET is_out_of_stock = false WHERE id = $1', [idOf(slug)])
  }
  for (const [position, slug] of (product.parts ?? []).entries())
    await pool.query('INSERT INTO bundle_parts (bundle_id, product_id, position) VALUES ($1, $2, $3)', [
      ...[product.id, idOf(slug), position],
    ])
}

const INSERT_VARIANT = `INSERT INTO products
    (id, seller_id, category_id, title, price_cents, delivery, is_out_of_stock, variant_of, variant_name, variant_position, created_at)
  SELECT $1, seller_id, category_id, title, $5, delivery, delivery = 'code', id, $3, $4, created_at FROM products WHERE id = $2`

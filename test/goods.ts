import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { addCodes } from '../src/delivery/codes/codes.store.server.ts'
import { openCodeVault } from '../src/delivery/codes/vault.server.ts'
import { SECRET, type TestShop } from './shop.ts'

export type TestProduct = { id: string; price: string; bytes: Buffer; sha256: string }

/** Adds a listed product with a real file in the store, or with `codes` to sell. */
export async function addProduct(
  { database: { db }, storage, join }: TestShop,
  {
    price = '10.00',
    suggested,
    title = 'A small book',
    categoryId = 'ebooks',
    codes,
  }: { price?: string; suggested?: string; title?: string; categoryId?: string; codes?: string[] } = {},
): Promise<TestProduct> {
  const seller = await join({ firstName: 'Sally' })
  const priceCents = Math.round(Number(price) * 100)
  const product = await db
    .insertInto('products')
    .values({
      sellerId: seller.id,
      categoryId,
      title,
      description: 'For a test.',
      priceCents,
      suggestedCents: suggested === undefined ? null : Math.round(Number(suggested) * 100),
      delivery: codes ? 'code' : 'file',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (codes) await addCodes(db, openCodeVault(SECRET), product.id, codes)
  const bytes = Buffer.from(`the bytes of ${product.id} `.repeat(200))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (!codes) await addFile({ db, storage }, { productId: product.id, userId: seller.id, bytes, sha256 })
  return { id: product.id, price, bytes, sha256 }
}

export async function addFile(
  { db, storage }: Pick<TestShop['database'], 'db'> & Pick<TestShop, 'storage'>,
  { productId, userId, bytes, sha256 }: { productId: string; userId: string; bytes: Buffer; sha256: string },
) {
  const objectId = crypto.randomUUID()
  await storage.put(objectId, Readable.from([bytes]))
  const file = { sizeBytes: bytes.length, sha256, fileName: 'book.txt', contentType: 'text/plain' }
  const stored = { status: 'bound' as const, expiresAt: sql<Date>`now()`, storedAt: sql<Date>`now()` }
  await db
    .insertInto('objects')
    .values({ id: objectId, userId, ...stored, ...file })
    .execute()
  const version = await db
    .insertInto('productFiles')
    .values({ productId, objectId, ...file })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('products').set({ fileId: version.id }).where('id', '=', productId).execute()
}

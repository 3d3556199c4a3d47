import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { addCodes } from '../src/delivery/codes/codes.store.server.ts'
import { openCodeVault } from '../src/delivery/codes/vault.server.ts'
import type { Db } from '../src/kit/database.server.ts'
import type { Storage } from '../src/uploads/storage.server.ts'

type Seller = { db: Db; storage: Storage; secret: string; sellerId: string }

/** Offers a card with `codes` codes, or a book with a file if `codes` is missing. */
export async function offerProduct(seller: Seller, { priceCents, codes }: { priceCents: number; codes?: number }) {
  const { db, secret, sellerId } = seller
  const { id } = await db
    .insertInto('products')
    .values({
      sellerId,
      categoryId: codes ? 'gift-cards' : 'ebooks',
      title: codes ? 'A gift card' : 'A small book',
      description: 'For a drill.',
      priceCents,
      delivery: codes ? 'code' : 'file',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (codes) {
    const texts = Array.from({ length: codes }, (_, i) => `${id.slice(0, 8)}-${i}`)
    await addCodes(db, openCodeVault(secret), id, texts)
  } else await addFile(seller, id)
  return id
}

async function addFile({ db, storage, sellerId }: Seller, productId: string) {
  const bytes = Buffer.from(`the bytes of ${productId} `.repeat(100))
  const objectId = crypto.randomUUID()
  await storage.put(objectId, Readable.from([bytes]))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = { sizeBytes: bytes.length, sha256, fileName: 'book.txt', contentType: 'text/plain' }
  const stored = { status: 'bound' as const, expiresAt: sql<Date>`now()`, storedAt: sql<Date>`now()` }
  await db
    .insertInto('objects')
    .values({ id: objectId, userId: sellerId, ...stored, ...file })
    .execute()
  const version = await db
    .insertInto('productFiles')
    .values({ productId, objectId, ...file })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('products').set({ fileId: version.id }).where('id', '=', productId).execute()
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type Cut, percentOf } from '../src/catalogue/previews/cut/cut.rules.ts'
import { packBook } from '../src/catalogue/previews/cut/cutBook.server.ts'
import { cutStart } from '../src/catalogue/previews/cut/cutStart.server.ts'
import type { Db } from '../src/kit/database.server.ts'
import { escapeHtml } from '../src/kit/html.server.ts'
import { readEntry, readZip } from '../src/uploads/checks/zip.server.ts'
import type { Storage } from '../src/uploads/storage.server.ts'
import type { DemoProduct } from './seed.ts'

// Samples of the demo's books, recordings and written courses. The shop cuts them from the sold files.

const SAMPLED = ['ebooks', 'audio', 'courses']
const TYPES: Record<string, { kind: 'epub' | 'audio'; contentType: string; ending: string }> = {
  epub: { kind: 'epub', contentType: 'application/epub+zip', ending: 'epub' },
  wav: { kind: 'audio', contentType: 'audio/wav', ending: 'wav' },
  // a written course is a ZIP of lessons; the first lesson becomes a book
  zip: { kind: 'epub', contentType: 'application/epub+zip', ending: 'epub' },
}

type Sampled = Pick<DemoProduct, 'id' | 'title' | 'price' | 'categoryId' | 'fileType' | 'file'>

/** Adds a sample to a product whose category has them. A free product needs none. */
export async function addSample({ db, storage }: { db: Db; storage: Storage }, userId: string, product: Sampled) {
  const { id: productId, title: alt, fileType } = product
  const type = TYPES[fileType ?? '']
  const cut = type && (await sampleOf(product))
  if (!type || !cut) return
  const { kind, contentType, ending } = type
  const { bytes, shown, whole } = cut
  const objectId = crypto.randomUUID()
  const { sizeBytes, sha256 } = await storage.put(objectId, Readable.from([Buffer.from(bytes)]))
  const moment = sql<Date>`now()`
  await db
    .insertInto('objects')
    .values({
      ...{ id: objectId, userId, status: 'bound', sizeBytes, sha256, contentType },
      ...{ fileName: `sample.${ending}`, expiresAt: moment, storedAt: moment },
    })
    .execute()
  await db
    .insertInto('productPreviews')
    .values((row) => ({
      ...{ productId, objectId, kind, contentType, sizeBytes, alt, position: 0, shown, whole },
      cutFrom: row
        .selectFrom('products')
        .innerJoin('productFiles', 'productFiles.id', 'products.fileId')
        .select('productFiles.objectId')
        .where('products.id', '=', productId),
    }))
    .execute()
}

/** Cuts the sample of a product. Null for a product without one. */
export async function sampleOf({ title, price, categoryId, fileType, file }: Sampled): Promise<Cut | null> {
  if (!file || !fileType || Number(price) === 0 || !SAMPLED.includes(categoryId)) return null
  const head = readFileSync(join(import.meta.dirname, 'content', 'files', file))
  if (fileType === 'zip') return categoryId === 'courses' ? cutLessons(title, head) : null
  return cutStart({ head, sizeBytes: head.length, contentType: TYPES[fileType]?.contentType ?? '' })
}

async function cutLessons(title: string, zip: Buffer): Promise<Cut | null> {
  const read = async (start: number, length: number) => zip.subarray(start, start + length)
  const lessons = ((await readZip(read, zip.length)) ?? []).filter(({ name }) => name.startsWith('lessons/'))
  const [first] = lessons
  const text = first && (await readEntry(read, first, first.unpackedBytes))
  if (!text) return null
  const [heading = '', ...paragraphs] = text
    .toString()
    .trim()
    .split(/\n{2,}/)
  const name = escapeHtml(heading.replace(/^# /, ''))
  const page = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${name}</title></head><body><h1>${name}</h1>
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}</body></html>`
  const chapter = { path: 'lesson.xhtml', type: 'application/xhtml+xml', bytes: Buffer.from(page) }
  const head = { title: escapeHtml(title), language: 'en', authors: [] }
  const whole = lessons.length
  return { bytes: await packBook(head, [chapter], []), shown: 1, whole, percent: percentOf(1, whole) }
}

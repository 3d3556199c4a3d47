import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Identity } from '../src/identity/identity.server.ts'
import type { Database, Db } from '../src/kit/database.server.ts'
import { toCents } from '../src/kit/money.ts'
import { MAIN_METHOD } from '../src/payments/methods.ts'
import { saveWallet } from '../src/payments/payments.store.server.ts'
import { saveSandboxWallet } from '../sandbox/paypal/wallets.server.ts'
import { addSamples } from '../src/reviews/reviews.server.ts'
import type { Storage } from '../src/uploads/storage.server.ts'

export type DemoAccount = { role: 'shopper' | 'seller' | 'admin'; email: string; password: string }
type Parts = { database: Database; identity: Identity; storage: Storage; accountsFile: string; hasSandbox?: boolean }
type Review = { product: string; author: string; stars: number; text: string; hoursAgo: number }

const SHOPPER = { role: 'shopper', email: 'shopper@primo.example', firstName: 'Sam', lastName: 'Shopper' } as const
const SELLER = { role: 'seller', email: 'seller@primo.example', firstName: 'Sally', lastName: 'Seller' } as const
const ADMIN = { role: 'admin', email: 'admin@primo.example', firstName: 'Alex', lastName: 'Admin' } as const
const PEOPLE = [SHOPPER, SELLER, ADMIN]

/** The products are older than every sample review. */
const PRODUCT_AGE_DAYS = 240
const BATCH = 25
const CONTENT_TYPES = { pdf: 'application/pdf', epub: 'application/epub+zip', wav: 'audio/wav', zip: 'application/zip' }

/** Fills an empty database with the demo store. Returns its accounts, or null if the database holds another store. */
export async function seedDemo(parts: Parts): Promise<DemoAccount[] | null> {
  const { db } = parts.database
  const hasUsers = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (hasUsers && !existsSync(parts.accountsFile)) return null
  const accounts = readAccounts(parts.accountsFile)
  const isSeeded = await db.selectFrom('products').select('id').where('featuredRank', '=', 1).executeTakeFirst()
  if (isSeeded) return accounts
  const userIds = await addPeople(parts, accounts)
  await addProducts(parts, userIds.seller, readProducts(), PRODUCT_AGE_DAYS)
  await addSamples(db, readReviews())
  if (parts.hasSandbox ?? true) await addWallet(db, userIds.shopper)
  return accounts
}

/** Adds products for load tests to the demo store until it has `count` of them. */
export async function seedMore(parts: Parts, count: number) {
  const seller = await parts.database.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', SELLER.email)
    .executeTakeFirstOrThrow()
  await addProducts(parts, seller.id, makeProducts(count), 0)
}

export function readReviews(now = Date.now()) {
  return readContent<Review[]>('reviews.json').map(({ product, hoursAgo, ...review }) => ({
    ...review,
    productId: idOf(product),
    createdAt: new Date(now - hoursAgo * 3_600_000),
  }))
}

/** Keeps the generated passwords beside the data, so that every start prints the same ones. */
function readAccounts(file: string): DemoAccount[] {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DemoAccount[]
  const accounts = PEOPLE.map(({ role, email }) => ({
    role,
    email,
    // Twelve random digits would not count towards the strength of the password; the letter k makes them count.
    password: `${role}-${randomBytes(6).toString('hex')}k`,
  }))
  writeFileSync(file, JSON.stringify(accounts, null, 2), { mode: 0o600 })
  return accounts
}

async function addPeople({ identity }: Parts, accounts: DemoAccount[]) {
  const ids = { shopper: '', seller: '', admin: '' }
  for (const person of PEOPLE) {
    const { password } = accounts.find(({ role }) => role === person.role)!
    const role = person.role === 'admin' ? 'admin' : 'member'
    ids[person.role] = await identity.createUser({ ...person, role, password, emailVerified: true })
  }
  return ids
}

async function addWallet(db: Db, userId: string) {
  const { vaultId, label } = await saveSandboxWallet(db, { email: SHOPPER.email })
  await saveWallet(db, { userId, provider: MAIN_METHOD, mode: 'sandbox', vaultId, label })
}

export async function addProducts(
  { database: { db }, storage }: Pick<Parts, 'database' | 'storage'>,
  sellerId: string,
  list: DemoProduct[],
  ageDays: number,
) {
  const stored = new Set((await db.selectFrom('products').select('id').execute()).map(({ id }) => id))
  const missing = [...list.entries()].filter(([, { id }]) => !stored.has(id))
  for (let i = 0; i < missing.length; i += BATCH) {
    const batch = missing.slice(i, i + BATCH)
    const files = await Promise.all(batch.map(([, product]) => storeFile(storage, product)))
    await db.transaction().execute(async (tx) => {
      await tx
        .insertInto('objects')
        .values(
          files.map(({ objectId, productId: _, ...file }) => ({
            ...file,
            id: objectId,
            userId: sellerId,
            status: 'bound' as const,
            expiresAt: sql<Date>`now()`,
            storedAt: sql<Date>`now()`,
          })),
        )
        .execute()
      await tx
        .insertInto('products')
        .values(
          batch.map(([rank, { id, categoryId, title, description, price, isFeatured }]) => ({
            id,
            sellerId,
            categoryId,
            title,
            description,
            priceCents: toCents(price),
            featuredRank: isFeatured ? rank + 1 : null,
            // Distinct times give the sort order 'newest' a defined result.
            createdAt: sql<Date>`now() - ${ageDays} * interval '1 day' - ${rank} * interval '1 minute'`,
          })),
        )
        .execute()
      const versions = await tx.insertInto('productFiles').values(files).returning(['id', 'productId']).execute()
      for (const { id, productId } of versions)
        await tx.updateTable('products').set({ fileId: id }).where('id', '=', productId).execute()
    })
  }
}

async function storeFile(storage: Storage, product: DemoProduct) {
  const objectId = crypto.randomUUID()
  const { sizeBytes, sha256 } = await storage.put(objectId, createReadStream(filePath(product)))
  const { id: productId, slug, fileType } = product
  const fileName = `${slug}.${fileType}`
  return { objectId, productId, fileName, contentType: CONTENT_TYPES[fileType], sizeBytes, sha256 }
}

type Listing = {
  slug: string
  title: string
  /** A decimal string in USD. */
  price: string
  categoryId: string
  fileType: 'pdf' | 'epub' | 'wav' | 'zip'
  description: string
  isFeatured?: boolean
}

/** A product of the demo store; `file` is the name of its file under content/files/. */
export type DemoProduct = Listing & { id: string; file: string }

type Series = Pick<Listing, 'categoryId' | 'fileType'> & {
  kinds: string[]
  use: string
  minCents: number
  maxCents: number
}

const CONTENT = join(import.meta.dirname, 'content')

export const readContent = <T>(name: string) => JSON.parse(readFileSync(join(CONTENT, name), 'utf8')) as T

export const filePath = ({ file }: DemoProduct) => join(CONTENT, 'files', file)

/** Returns the same version 8 UUID for a slug each time, so that seeding twice adds nothing. */
export function idOf(slug: string) {
  const hex = createHash('sha256').update(slug).digest('hex')
  const variant = ((parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** All products of the demo store, newest first; the featured products lead. */
export const readProducts = (): DemoProduct[] =>
  readContent<Listing[]>('products.json').map((listing) => ({
    ...listing,
    id: idOf(listing.slug),
    file: `${listing.slug}.${listing.fileType}`,
  }))

/** Makes `count` distinct products for load tests, the same in every run and spread evenly over the categories. */
export function makeProducts(count: number): DemoProduct[] {
  const content = readContent<{
    adjectives: string
    places: string
    voucherNotice: string
    productNotice: string
    series: Series[]
  }>('series.json')
  const [adjectives, places] = [content.adjectives.split(' '), content.places.split(' ')]
  return Array.from({ length: count }, (_, i) => {
    const at = i % content.series.length
    const turn = Math.floor(i / content.series.length)
    const { categoryId, fileType, kinds, use, minCents, maxCents } = content.series[at]!
    // Each series uses every combination of words once before a volume number is added.
    const adjective = adjectives[(turn + 5 * at) % 24]!
    const place = places[(Math.floor(turn / 24) + 5 * turn) % 24]!
    const kind = kinds[(Math.floor(turn / 576) + turn) % kinds.length]!
    const volume = Math.floor(turn / (576 * kinds.length)) + 1
    const name = `${adjective} ${place} ${kind}${volume > 1 ? ` No. ${volume}` : ''}`
    const isVoucher = fileType === 'pdf'
    const spread = createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32
    const stepCents = isVoucher ? 500 : 50
    const dollars = (Math.round((minCents + (maxCents - minCents) * spread ** 3) / stepCents) * stepCents) / 100
    const slug = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${i + 1}`
    return {
      id: idOf(slug),
      slug,
      title: isVoucher ? `${name}, $${dollars}` : name,
      price: dollars.toFixed(2),
      categoryId,
      fileType,
      file: `filler.${fileType}`,
      description: `${use} ${isVoucher ? content.voucherNotice : content.productNotice}`,
    }
  })
}

import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { hashPassword } from '../src/identity/password/passwordHash.server.ts'
import { addCodes } from '../src/delivery/codes/codes.store.server.ts'
import type { CodeVault } from '../src/delivery/codes/vault.server.ts'
import type { Identity } from '../src/identity/identity.server.ts'
import type { Database, Db } from '../src/kit/database.server.ts'
import { toCents } from '../src/kit/money.ts'
import { MAIN_METHOD } from '../src/payments/methods.ts'
import { saveWallet } from '../src/payments/wallets.store.server.ts'
import { saveSandboxWallet } from '../sandbox/paypal/wallets.server.ts'
import { addSamples } from '../src/reviews/reviews.server.ts'
import type { Storage } from '../src/uploads/storage.server.ts'
import { addCourse, type CoursePart } from './courses.ts'
import { addOrders, addUsers, CONNECTIONS, findUsers } from './load.ts'
import { cardsOf, idOf } from './made.ts'
import { addOffers } from './offers.ts'
import { addSample } from './samples.ts'
import { required, wrapped } from '../src/kit/values/required.ts'

export type DemoAccount = { role: 'shopper' | 'seller' | 'admin'; email: string; password: string }
type Parts = {
  database: Database
  identity: Identity
  storage: Storage
  vault: CodeVault
  accountsFile: string
  hasSandbox?: boolean
}
type Review = { product: string; author: string; stars: number; text: string; hoursAgo: number }

const SHOPPER = { role: 'shopper', email: 'shopper@primo.example', firstName: 'Sam', lastName: 'Shopper' } as const
const SELLER = { role: 'seller', email: 'seller@primo.example', firstName: 'Sally', lastName: 'Seller' } as const
const ADMIN = { role: 'admin', email: 'admin@primo.example', firstName: 'Alex', lastName: 'Admin' } as const
const PEOPLE = [SHOPPER, SELLER, ADMIN]

/** Makes the products older than every sample review. */
const PRODUCT_AGE_DAYS = 240
const BATCH = 500
const PRODUCTS_OF_SELLER = 100
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
  const products = readProducts()
  await addProducts(parts, [userIds.seller], products, PRODUCT_AGE_DAYS)
  for (const product of products) await addSample({ db, storage: parts.storage }, userIds.seller, product)
  await db
    .updateTable('storefronts')
    .set({ openedAt: sql<Date>`now() - ${PRODUCT_AGE_DAYS} * interval '1 day'` })
    .where('userId', '=', userIds.seller)
    .execute()
  await addSamples(db, readReviews())
  if (parts.hasSandbox ?? true) await addWallet(db, userIds.shopper)
  return accounts
}

export type Load = { products: number; users: number; orders: number }

export async function seedMore(parts: Parts, { products, users, orders }: Load) {
  const { db, pool: limited } = parts.database
  // A separate pool without the shop's time limits.
  const pool = new pg.Pool({ connectionString: limited.options.connectionString, max: CONNECTIONS })
  const findId = async (email: string) =>
    (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id
  const { password } = required(
    readAccounts(parts.accountsFile).find(({ role }) => role === SHOPPER.role),
    'the account',
  )
  const sellers = Math.min(Math.ceil(products / PRODUCTS_OF_SELLER), Math.floor(users / 2))
  try {
    await addUsers(pool, users, await hashPassword(password))
    const sellerIds = sellers > 0 ? await findUsers(pool, sellers) : [await findId(SELLER.email)]
    await addProducts({ ...parts, database: { db, pool } }, sellerIds, makeProducts(products), 0)
    const hasSandbox = parts.hasSandbox ?? true
    await addOrders(pool, orders, { sellers, shopperId: await findId(SHOPPER.email), hasSandbox })
  } finally {
    await pool.end()
  }
}

export function readReviews(now = Date.now()) {
  return readContent<Review[]>('reviews.json').map(({ product, hoursAgo, ...review }) => ({
    ...review,
    productId: idOf(product),
    createdAt: new Date(now - hoursAgo * 3_600_000),
  }))
}

/** Stores the generated passwords next to the data, so that every start prints the same ones. */
function readAccounts(file: string): DemoAccount[] {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DemoAccount[]
  const accounts = PEOPLE.map(({ role, email }) => ({
    role,
    email,
    // Twelve random digits add no strength to the password, but with the letter k they do.
    password: `${role}-${randomBytes(6).toString('hex')}k`,
  }))
  writeFileSync(file, JSON.stringify(accounts, null, 2), { mode: 0o600 })
  return accounts
}

async function addPeople({ identity }: Parts, accounts: DemoAccount[]) {
  const ids = { shopper: '', seller: '', admin: '' }
  for (const person of PEOPLE) {
    const { password } = required(
      accounts.find(({ role }) => role === person.role),
      'the account',
    )
    const role = person.role === 'admin' ? 'admin' : 'member'
    ids[person.role] = await identity.createUser({ ...person, role, password, emailVerified: true })
  }
  return ids
}

async function addWallet(db: Db, userId: string) {
  const { vaultId, label } = await saveSandboxWallet(db, { email: SHOPPER.email })
  await saveWallet(db, { userId, provider: MAIN_METHOD, mode: 'sandbox', vaultId, label })
}

/** Sellers in `sellerIds` alternate. Products with the same file share its bytes if the storage supports that. */
export async function addProducts(
  { database: { db, pool }, storage, vault }: Pick<Parts, 'database' | 'storage' | 'vault'>,
  sellerIds: string[],
  list: DemoProduct[],
  ageDays: number,
) {
  const stored = new Set((await db.selectFrom('products').select('id').execute()).map(({ id }) => id))
  const missing = [...list.entries()].filter(([, { id }]) => !stored.has(id))
  for (let i = 0; i < missing.length; i += BATCH) {
    const batch = missing.slice(i, i + BATCH)
    const files = await storeFiles(
      storage,
      batch.map(([, product]) => product),
    )
    const rows = batch.map(([rank, product], at) => {
      const { id, categoryId, title, description, price, suggested, isFeatured, license, codes, parts, course } =
        product
      return {
        id,
        delivery: parts ? 'bundle' : course ? 'course' : license ? 'license' : codes === undefined ? 'file' : 'code',
        license: license ?? null,
        sellerId: sellerIds[rank % sellerIds.length],
        categoryId,
        title,
        description,
        cents: toCents(price),
        suggested: suggested === undefined ? null : toCents(suggested),
        featuredRank: isFeatured ? rank + 1 : null,
        // Distinct times make the sort order 'newest' deterministic.
        minutes: ageDays * 24 * 60 + rank,
        ...files[at],
      }
    })
    await pool.query(INSERTS, [JSON.stringify(rows)])
    for (const [rank, product] of batch)
      if (product.course) await addCourse({ db, storage }, wrapped(sellerIds, rank), product)
    for (const [, product] of batch) if (product.codes) await addCodes(db, vault, product.id, cardsOf(product))
    for (const [, product] of batch) await addOffers({ pool, db, vault }, product)
  }
}

const GIVEN = `id uuid, "sellerId" uuid, "categoryId" text, title text, description text, cents bigint, suggested bigint, "featuredRank" int,
  minutes int, "fileId" uuid, "fileName" text, "contentType" text, "objectId" uuid, "sizeBytes" bigint, sha256 text,
  delivery text, license jsonb`
// One statement, because file and product refer to each other. Files come first: a trigger copies their type to the
// search words of the product.
const INSERTS = `WITH given AS (SELECT * FROM json_to_recordset($1::json) AS given (${GIVEN})),
  new_objects AS (
    INSERT INTO objects (id, user_id, status, size_bytes, sha256, file_name, content_type, expires_at, stored_at)
    SELECT "objectId", "sellerId", 'bound', "sizeBytes", sha256, "fileName", "contentType", now(), now() FROM given
    WHERE "fileId" IS NOT NULL),
  new_files AS (
    INSERT INTO product_files (id, product_id, object_id, file_name, content_type, size_bytes, sha256)
    SELECT "fileId", id, "objectId", "fileName", "contentType", "sizeBytes", sha256 FROM given
    WHERE "fileId" IS NOT NULL RETURNING id, product_id),
  new_terms AS (
    INSERT INTO license_terms (product_id, prefix, devices_per_seat, valid_days)
    SELECT id, license->>'prefix', (license->>'devicesPerSeat')::int, (license->>'validDays')::int FROM given WHERE license IS NOT NULL)
  INSERT INTO products (id, seller_id, category_id, title, description, price_cents, suggested_cents, featured_rank, created_at, file_id, delivery)
  SELECT given.id, "sellerId", "categoryId", title, description, cents, suggested, "featuredRank", now() - minutes * interval '1 minute', f.id, delivery
  FROM given LEFT JOIN new_files f ON given.id = f.product_id`

/** Stores each file of the batch once. Other products with the same file get a copy that shares the bytes. */
async function storeFiles(storage: Storage, batch: DemoProduct[]) {
  const first = new Map<string, { objectId: string; sizeBytes: number; sha256: string }>()
  const files: object[] = []
  for (const { slug, fileType, file } of batch) {
    if (!fileType || !file) {
      files.push({})
      continue
    }
    const objectId = crypto.randomUUID()
    const known = first.get(file)
    if (known && storage.copy) await storage.copy(known.objectId, objectId)
    const { sizeBytes, sha256 } =
      known && storage.copy ? known : await storage.put(objectId, createReadStream(filePath(file)))
    first.set(file, { objectId, sizeBytes, sha256 })
    const names = { fileId: crypto.randomUUID(), fileName: `${slug}.${fileType}`, contentType: CONTENT_TYPES[fileType] }
    files.push({ ...names, objectId, sizeBytes, sha256 })
  }
  return files
}

type Listing = {
  slug: string
  title: string
  /** A decimal string in USD. */
  price: string
  suggested?: string
  categoryId: string
  fileType?: FileType
  codes?: number
  description: string
  isFeatured?: boolean
  license?: Terms
  variants?: DemoVariant[]
  parts?: string[]
}
export type Terms = { prefix: string; devicesPerSeat: number; validDays: number | null }
export type DemoVariant = { name: string; price: string; codes?: number; license?: Terms }
type FileType = keyof typeof CONTENT_TYPES

export type DemoProduct = Listing & { id: string; file?: string; course?: CoursePart[] }

type Series = Pick<Listing, 'categoryId'> & {
  fileType: FileType
  kinds: string[]
  use: string
  minCents: number
  maxCents: number
}

const CONTENT = join(import.meta.dirname, 'content')

export const readContent = <T>(name: string) => JSON.parse(readFileSync(join(CONTENT, name), 'utf8')) as T

export const filePath = (file: string) => join(CONTENT, 'files', file)

export function readProducts(): DemoProduct[] {
  const courses = readContent<Record<string, CoursePart[]>>('courses.json')
  return readContent<Listing[]>('products.json').map((listing) => ({
    ...listing,
    id: idOf(listing.slug),
    ...(listing.fileType && { file: `${listing.slug}.${listing.fileType}` }),
    ...(courses[listing.slug] && { course: courses[listing.slug] }),
  }))
}

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
    const { categoryId, fileType, kinds, use, minCents, maxCents } = required(content.series[at], 'an entry of series')
    // A series uses every combination of words once before it adds a volume number.
    const adjective = required(adjectives[(turn + 5 * at) % 24], 'an entry of adjectives')
    const place = required(places[(Math.floor(turn / 24) + 5 * turn) % 24], 'an entry of places')
    const kind = wrapped(kinds, Math.floor(turn / 576) + turn)
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

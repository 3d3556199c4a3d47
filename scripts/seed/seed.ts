import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Database } from '../../src/kit/database.server.ts'
import type { Identity } from '../../src/identity/identity.server.ts'
import { toCents } from '../../src/kit/money.ts'
import { saveSandboxWallet } from '../../sandbox/paypal/sandbox.server.ts'
import { PAYPAL } from '../../src/payments/payments.contract.ts'
import { saveWallet } from '../../src/payments/payments.server.ts'
import { addSamples } from '../../src/reviews/reviews.server.ts'
import type { Storage } from '../../src/uploads/storage.server.ts'
import { makeFile } from './files.ts'
import type { Good } from './good.ts'
import { goods, moreGoods } from './goods.ts'
import { DEMO_AGE, sampleReviews } from './reviews.ts'

// The demo store: accounts, goods and their files. Running it again changes nothing that is there.

export type DemoAccount = { role: 'shopper' | 'seller' | 'admin'; email: string; password: string }
type Parts = { database: Database; identity: Identity; storage: Storage; accountsFile: string; hasSandbox?: boolean }

const PEOPLE = [
  { role: 'shopper', email: 'shopper@primo.example', firstName: 'Sam', lastName: 'Shopper' },
  { role: 'seller', email: 'seller@primo.example', firstName: 'Sally', lastName: 'Seller' },
  { role: 'admin', email: 'admin@primo.example', firstName: 'Alex', lastName: 'Admin' },
] as const

/** Makes the demo store on an empty database; answers the accounts, or null when somebody else's shop is here. */
export async function seedDemo(parts: Parts): Promise<DemoAccount[] | null> {
  const { database, accountsFile } = parts
  const isEmpty = !(await database.db.selectFrom('users').select('id').limit(1).executeTakeFirst())
  if (!isEmpty && !existsSync(accountsFile)) return null
  const accounts = readAccounts(accountsFile)
  const isDone = await database.db.selectFrom('products').select('id').where('featuredRank', '=', 1).executeTakeFirst()
  if (!isDone) {
    const people = await addPeople(parts, accounts)
    await addGoods(parts, people.seller!, goods, DEMO_AGE)
    await addSamples(database.db, sampleReviews(goods))
    if (parts.hasSandbox ?? true) {
      const wallet = await saveSandboxWallet(database.db, { email: PEOPLE[0].email })
      await saveWallet(database.db, {
        userId: people.shopper!,
        provider: PAYPAL,
        mode: 'sandbox',
        vaultId: wallet.vaultId,
        label: wallet.label,
      })
    }
  }
  return accounts
}

/** Adds `count` further products for load tests. */
export async function seedMore(parts: Parts, count: number) {
  const seller = await parts.database.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', PEOPLE[1].email)
    .executeTakeFirstOrThrow()
  await addGoods(parts, seller.id, moreGoods(count))
}

/** Passwords are made on the first run and kept beside the data, so that a restart prints the same ones. */
function readAccounts(file: string): DemoAccount[] {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DemoAccount[]
  const accounts = PEOPLE.map(({ role, email }) => ({
    role,
    email,
    // the letter at the end: twelve digits alone would leave the role, which is too easy to guess
    password: `${role}-${randomBytes(6).toString('hex')}k`,
  }))
  writeFileSync(file, JSON.stringify(accounts, null, 2), { mode: 0o600 })
  return accounts
}

async function addPeople({ identity }: Parts, accounts: DemoAccount[]) {
  const ids: Record<string, string> = {}
  for (const person of PEOPLE) {
    const { password } = accounts.find(({ role }) => role === person.role)!
    ids[person.role] = await identity.createUser({
      ...person,
      password,
      isAdmin: person.role === 'admin',
      emailVerified: true,
    })
  }
  return ids
}

const BATCH = 25

/** `age` is for how many days they have been in the shop. */
async function addGoods({ database: { db }, storage }: Parts, sellerId: string, list: Good[], age = 0) {
  const known = await db.selectFrom('products').select('id').execute()
  const have = new Set(known.map(({ id }) => id))
  const open = list.filter(({ id }) => !have.has(id))
  for (let i = 0; i < open.length; i += BATCH) {
    const batch = open.slice(i, i + BATCH)
    const files = await Promise.all(batch.map((good) => keepFile(storage, good)))
    await db.transaction().execute(async (tx) => {
      await tx
        .insertInto('objects')
        .values(
          files.map(({ objectId, sizeBytes, sha256, fileName, contentType }) => ({
            id: objectId,
            userId: sellerId,
            status: 'bound' as const,
            sizeBytes,
            sha256,
            fileName,
            contentType,
            expiresAt: sql<Date>`now()`,
            storedAt: sql<Date>`now()`,
          })),
        )
        .execute()
      await tx
        .insertInto('products')
        .values(
          batch.map((good) => ({
            id: good.id,
            sellerId,
            categoryId: good.categoryId,
            title: good.title,
            description: good.description,
            priceCents: toCents(good.price),
            featuredRank: good.isFeatured ? list.indexOf(good) + 1 : null,
            // one after another, so that 'newest' has an order
            createdAt: sql<Date>`now() - ${age} * interval '1 day' - ${list.indexOf(good)} * interval '1 minute'`,
          })),
        )
        .execute()
      const versions = await tx
        .insertInto('productFiles')
        .values(
          files.map(({ objectId, productId, sizeBytes, sha256, fileName, contentType }) => ({
            objectId,
            productId,
            sizeBytes,
            sha256,
            fileName,
            contentType,
          })),
        )
        .returning(['id', 'productId'])
        .execute()
      for (const { id, productId } of versions)
        await tx.updateTable('products').set({ fileId: id }).where('id', '=', productId).execute()
    })
  }
}

async function keepFile(storage: Storage, good: Good) {
  const { fileName, contentType, bytes } = makeFile(good)
  const objectId = crypto.randomUUID()
  const { sizeBytes, sha256 } = await storage.put(objectId, Readable.from([bytes]))
  return { objectId, productId: good.id, fileName, contentType, sizeBytes, sha256 }
}

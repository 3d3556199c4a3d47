import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { passHours, publish } from '../../../test/publish.ts'
import { openShopForTests, openTestShop, type Person } from '../../../test/shop.ts'
import { eraseDueAccounts } from '../../account/data/erase.server.ts'
import { readMyData } from '../../account/data/export.rows.server.ts'
import { liftSuspension, suspendSeller } from '../../moderation/moderation.contract.ts'
import { getOverview } from '../overview/overview.contract.ts'
import { getSeller, getStorefront, saveStorefront } from '../storefront/storefront.contract.ts'
import { dismissNewProducts, listNewProducts } from './newProducts.contract.ts'
import { followSeller, listFollowed, MAX_FOLLOWED, unfollowSeller } from './follows.contract.ts'

const open = openShopForTests()
const db = () => open.shop.database.db

const follow = (person: Person, { id }: { id: string }) => person.call(followSeller, { id, source: 'seller_page' })
const unfollow = (person: Person, { id }: { id: string }) => person.call(unfollowSeller, { id })
const namesOf = async (person: Person) => (await person.call(listFollowed, {})).map(({ name }) => name)
const newsOf = async (person: Person) =>
  (await person.call(listNewProducts, {})).map(({ seller, count, product }) => `${seller}: ${count}, ${product.title}`)

async function joinSeller(firstName: string, title = 'First'): Promise<Person> {
  const seller = await open.shop.join({ firstName })
  await publish(open.shop, seller, title)
  return seller
}

test('a member follows sellers, and only this member reads the list', async () => {
  const [mia, eve] = [await open.shop.join(), await open.shop.join()]
  const [ada, bob] = [await joinSeller('Ada'), await joinSeller('Bob')]
  expect(await follow(mia, ada)).toEqual({ isFollowed: true, isMailed: true })
  await follow(mia, bob)
  await follow(mia, ada)
  expect(await mia.call(listFollowed, {})).toMatchObject([
    { id: bob.id, name: 'Bob P.', handle: (await bob.call(getStorefront, {})).handle },
    { id: ada.id, name: 'Ada P.' },
  ])
  expect(await namesOf(eve)).toEqual([])
  await expect(open.shop.call(listFollowed, {})).rejects.toMatchObject({ status: 401 })
  await unfollow(eve, ada)
  expect(await unfollow(mia, bob)).toEqual({ isFollowed: false })
  expect(await unfollow(mia, bob)).toEqual({ isFollowed: false })
  expect(await namesOf(mia)).toEqual(['Ada P.'])
  // Undo
  await follow(mia, bob)
  expect(await namesOf(mia)).toEqual(['Bob P.', 'Ada P.'])
})

test('stores when and where a member agreed to the mails', async () => {
  const [mia, ada] = [await open.shop.join(), await joinSeller('Ada')]
  await follow(mia, ada)
  await mia.call(followSeller, { id: ada.id, source: 'preferences' })
  const rows = await db().selectFrom('follows').select(['source', 'since']).where('userId', '=', mia.id).execute()
  expect(rows).toMatchObject([{ source: 'seller_page' }])
  expect(Date.now() - rows[0]!.since.getTime()).toBeLessThan(60_000)
})

test('refuses to follow oneself, a member without a seller page, and a suspended or leaving seller', async () => {
  const [mia, ada, staff] = [await open.shop.join(), await joinSeller('Ada'), await open.shop.join({ role: 'support' })]
  await expect(follow(ada, ada)).rejects.toMatchObject({ status: 409, code: 'own_page' })
  for (const id of [staff.id, crypto.randomUUID()])
    await expect(follow(mia, { id })).rejects.toMatchObject({ status: 404 })
  const reserved = await open.shop.join()
  await reserved.call(saveStorefront, { handle: 'not-open-yet', bio: '' })
  await expect(follow(mia, reserved)).rejects.toMatchObject({ status: 404 })

  const handle = (await ada.call(getStorefront, {})).handle!
  const canFollow = async () => (await open.shop.call(getSeller, { handle })).canFollow
  expect(await canFollow()).toBe(true)
  await staff.call(suspendSeller, { id: ada.id, reason: 'No rights.', days: null })
  await expect.poll(canFollow).toBe(false)
  await expect(follow(mia, ada)).rejects.toMatchObject({ status: 409, code: 'not_followable' })
  await staff.call(liftSuspension, { id: ada.id })
  await expect.poll(canFollow).toBe(true)
  await follow(mia, ada)
  const leave = sql`UPDATE users SET erase_at = now() + interval '9 days' WHERE id = ${ada.id}::uuid`
  await leave.execute(db())
  await expect(follow(await open.shop.join(), ada)).rejects.toMatchObject({ code: 'not_followable' })
  // who followed before can still end it
  await unfollow(mia, ada)
  expect(await namesOf(mia)).toEqual([])
})

test('rejects sellers above the limit', async () => {
  const [mia, ada] = [await open.shop.join(), await joinSeller('Ada')]
  await sql`WITH made AS (INSERT INTO users (email) SELECT 'followed' || n || '@test.example'
      FROM generate_series(1, ${MAX_FOLLOWED}) n RETURNING id)
    INSERT INTO follows (user_id, seller_id, source) SELECT ${mia.id}::uuid, id, 'seller_page' FROM made`.execute(db())
  await expect(follow(mia, ada)).rejects.toMatchObject({ status: 409, code: 'follows_full' })
  const [{ id } = { id: '' }] = await mia.call(listFollowed, {})
  await unfollow(mia, { id })
  await follow(mia, ada)
  // following again is no new seller
  await follow(mia, ada)
  expect(await namesOf(mia)).toHaveLength(MAX_FOLLOWED)
})

test('limits how often a member follows, and lets a member unfollow all sellers at once', async () => {
  const shop = await openTestShop({ RATE_LIMIT_SCALE: '1' })
  onTestFinished(() => shop.close())
  const mia = await shop.join()
  const id = crypto.randomUUID()
  for (let n = 0; n < 60; n++) await expect(follow(mia, { id })).rejects.toMatchObject({ status: 404 })
  await expect(follow(mia, { id })).rejects.toMatchObject({ status: 429 })
  // enough to unfollow all sellers
  for (let n = 0; n < MAX_FOLLOWED; n++) await unfollow(mia, { id })
})

test('a seller sees the number of followers, and neither names nor addresses', async () => {
  const ada = await joinSeller('Ada')
  expect(await ada.call(getOverview, {})).toMatchObject({ followers: 0 })
  const followers = [await open.shop.join({ firstName: 'Miroslava' }), await open.shop.join({ firstName: 'Miroslava' })]
  for (const follower of followers) await follow(follower, ada)
  const overview = await ada.call(getOverview, {})
  expect(overview.followers).toBe(2)
  const handle = (await ada.call(getStorefront, {})).handle!
  const seen = [
    overview,
    await open.shop.call(getSeller, { handle }),
    await readMyData(open.shop.database.pool, ada.id),
  ]
  for (const secret of ['Miroslava', ...followers.flatMap(({ id, email }) => [id, email])])
    expect(JSON.stringify(seen)).not.toContain(secret)
})

test('the export lists followed sellers, and the erasure of an account deletes its follows and followers', async () => {
  const [mia, ada, bob] = [await open.shop.join(), await joinSeller('Ada'), await joinSeller('Bob')]
  await follow(mia, ada)
  await follow(bob, ada)
  await follow(mia, bob)
  const data = await readMyData(open.shop.database.pool, mia.id)
  expect(data['followed-sellers.json']).toMatchObject([
    { seller: 'Ada P.', source: 'seller_page', last_notified_on: null },
    { seller: 'Bob P.' },
  ])
  await db()
    .updateTable('users')
    .set({ eraseAt: new Date(0) })
    .where('id', '=', bob.id)
    .execute()
  await eraseDueAccounts(db())
  expect(await namesOf(mia)).toEqual(['Ada P.'])
  expect(await db().selectFrom('follows').select('userId').where('sellerId', '=', ada.id).execute()).toEqual([
    { userId: mia.id },
  ])
})

test('the shop shows new products of followed sellers until they are dismissed or two weeks old', async () => {
  const [mia, eve] = [await open.shop.join(), await open.shop.join()]
  const [ada, bob] = [await joinSeller('Ada'), await joinSeller('Bob')]
  await passHours(open.shop, 1)
  await follow(mia, ada)
  await follow(mia, bob)
  // products that were on sale before the follow are not new
  expect(await newsOf(mia)).toEqual([])
  const draft = await publish(open.shop, ada, 'Draft', { isDraft: true })
  const song = await publish(open.shop, ada, 'A song')
  expect(await mia.call(listNewProducts, {})).toMatchObject([
    {
      ...{ sellerId: ada.id, seller: 'Ada P.', count: 1 },
      product: { id: song.id, title: 'A song', categoryId: 'software', imageUrl: null },
    },
  ])
  await db().updateTable('products').set({ isActive: true }).where('id', '=', draft.id).execute()
  await publish(open.shop, bob, 'A film')
  expect(await newsOf(mia)).toEqual(['Bob P.: 1, A film', 'Ada P.: 2, Draft'])
  expect(await newsOf(eve)).toEqual([])

  // products that are published after the dismissal are shown
  const [shown] = (await mia.call(listNewProducts, {})).filter(({ sellerId }) => sellerId === ada.id)
  await publish(open.shop, ada, 'Later')
  await mia.call(dismissNewProducts, { id: ada.id, until: shown!.publishedAt })
  expect(await newsOf(mia)).toEqual(['Ada P.: 1, Later', 'Bob P.: 1, A film'])
  await mia.call(dismissNewProducts, { id: ada.id, until: new Date(Date.now() + 86_400_000).toISOString() })
  await publish(open.shop, ada, 'After a time in the future')
  expect(await newsOf(mia)).toEqual(['Ada P.: 1, After a time in the future', 'Bob P.: 1, A film'])

  await passHours(open.shop, 14 * 24 - 1)
  expect(await newsOf(mia)).toHaveLength(2)
  await passHours(open.shop, 1)
  expect(await newsOf(mia)).toEqual([])
})

test('the shop hides new products that left it, and shows none that returned to it as new', async () => {
  const [mia, ada] = [await open.shop.join(), await joinSeller('Ada', 'Old')]
  const set = (title: string, change: { isActive?: boolean; takenDown?: string | null; isOutOfStock?: boolean }) =>
    db().updateTable('products').set(change).where('sellerId', '=', ada.id).where('title', '=', title).execute()
  await passHours(open.shop, 24)
  await follow(mia, ada)
  for (const away of [{ isActive: false }, { isOutOfStock: true }, { takenDown: 'No rights.' }]) {
    await set('Old', away)
    await set('Old', { isActive: true, isOutOfStock: false, takenDown: null })
  }
  expect(await newsOf(mia)).toEqual([])
  await publish(open.shop, ada, 'New')
  expect(await newsOf(mia)).toEqual(['Ada P.: 1, New'])
  await set('New', { takenDown: 'No rights.' })
  expect(await newsOf(mia)).toEqual([])
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { mailedText } from '../../../test/mail.ts'
import { passHours, publish } from '../../../test/publish.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { getAccount, setMails } from '../../identity/accounts/account.contract.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { suspendSeller } from '../../moderation/moderation.contract.ts'
import { notifyFollowers } from './followMails.server.ts'
import { followSeller, listFollowed, unfollowSeller } from './follows.contract.ts'
import { claimNewProducts } from './follows.statements.server.ts'
import { MAX_TITLES } from './followText.rules.ts'

const open = openShopForTests()
const db = () => open.shop.database.db
const mailing = () => ({
  config: { storeName: 'Primo' },
  publicUrl: 'https://shop.example',
  unfollowUrlOf: open.shop.unfollowUrlOf,
  unsubscribeUrlOf: open.shop.unsubscribeUrlOf,
})
/** Runs the job. */
const notify = () => notifyFollowers(db(), mailing())

async function joinSeller(firstName: string): Promise<Person> {
  const seller = await open.shop.join({ firstName })
  await publish(open.shop, seller, 'Before')
  await passHours(open.shop, 24)
  return seller
}

async function joinFollower(...sellers: Person[]): Promise<Person> {
  const follower = await open.shop.join()
  for (const { id } of sellers) await follower.call(followSeller, { id, source: 'seller_page' })
  await sql`INSERT INTO push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
    SELECT ${follower.id}::uuid, s.id, 'https://push.example/' || s.id, 'k', 'a' FROM sessions s
    WHERE user_id = ${follower.id}::uuid LIMIT 1`.execute(db())
  return follower
}

const mailsTo = ({ email }: Person) =>
  db()
    .selectFrom('mails')
    .select(['subject', 'unsubscribeUrl'])
    .where('recipient', '=', email)
    .where('key', 'like', 'follow:%')
    .orderBy('createdAt')
    .execute()
const subjectsTo = async (person: Person) => (await mailsTo(person)).map(({ subject }) => subject)
const pushesTo = async ({ id }: Person) => {
  const { rows } = await sql<{ message: string }>`SELECT payload ->> 'message' AS message
    FROM graphile_worker._private_jobs j, push_subscriptions s
    WHERE s.user_id = ${id}::uuid AND payload ->> 'subscriptionId' = s.id::text ORDER BY j.id`.execute(db())
  return rows.map(({ message }) => JSON.parse(message) as { title: string; url: string })
}

test('sends one mail and one push message a day about the new products of earlier days', async () => {
  const ada = await joinSeller('Ada')
  const mia = await joinFollower(ada)
  const song = await publish(open.shop, ada, 'A song <3')
  await notify()
  expect([await subjectsTo(mia), await pushesTo(mia)]).toEqual([[], []])
  await passHours(open.shop, 24, { sameDay: true })
  await notify()
  await notify()
  expect(await subjectsTo(mia)).toEqual(['New from Ada P.: “A song <3”'])
  expect(await pushesTo(mia)).toMatchObject([{ title: 'New from Ada P.: “A song <3”', url: `/product/${song.id}` }])
  const text = await mailedText(open.shop, mia.email, 'New from Ada P.')
  expect(text).toContain(`https://shop.example/product/${song.id}`)
  expect(text).toContain('We send this mail because you follow Ada P., at most one such mail a day.')

  // later products of the same day wait for the next day, in one mail
  for (const title of ['Second', 'Third']) await publish(open.shop, ada, title)
  await passHours(open.shop, 24, { sameDay: true })
  await notify()
  expect(await subjectsTo(mia)).toHaveLength(1)
  await passHours(open.shop, 24)
  await notify()
  expect(await subjectsTo(mia)).toEqual(['New from Ada P.: “A song <3”', '2 new products from Ada P.'])
  expect(await pushesTo(mia)).toHaveLength(2)
  const later = await mailedText(open.shop, mia.email, '2 new products')
  expect(later).toMatch(/“Second”\s+“Third”/)
  expect(later).toContain('https://shop.example/seller/ada-p')
  await passHours(open.shop, 24)
  await notify()
  expect(await subjectsTo(mia)).toHaveLength(2)
})

test('one mail a day lists the new products of all followed sellers', async () => {
  const [ada, bob, cat] = [await joinSeller('Ada'), await joinSeller('Bob'), await joinSeller('Cat')]
  const mia = await joinFollower(ada, bob, cat)
  await publish(open.shop, bob, 'A film')
  for (const title of ['A song', 'A score']) await publish(open.shop, ada, title)
  await passHours(open.shop, 24)
  await notify()
  await notify()
  const subject = '3 new products from Ada P. and Bob P.'
  expect(await subjectsTo(mia)).toEqual([subject])
  expect(await pushesTo(mia)).toMatchObject([{ title: subject, url: '/library' }])
  const text = await mailedText(open.shop, mia.email, subject)
  expect(text).toMatch(/Ada P\.: “A song”, “A score”\s+Bob P\.: “A film”/)
  expect(text).not.toContain('Cat P.')
  // the unsubscribe button ends the mails about all sellers
  const { pathname, search } = new URL((await mailsTo(mia))[0]!.unsubscribeUrl!)
  expect((await fetch(open.shop.url + pathname + search, { method: 'POST' })).status).toBe(200)
  expect(await mia.call(getAccount, {})).toMatchObject({ wantsFollows: false })
  expect(await mia.call(listFollowed, {})).toHaveLength(3)

  await publish(open.shop, cat, 'Unseen')
  await passHours(open.shop, 24)
  await notify()
  expect(await subjectsTo(mia)).toEqual([subject])
})

test('announces a product once, and no product that was on sale before the follow', async () => {
  const ada = await joinSeller('Ada')
  const mia = await joinFollower(ada)
  const set = (title: string, change: { isActive?: boolean; isOutOfStock?: boolean; takenDown?: string | null }) =>
    db().updateTable('products').set(change).where('sellerId', '=', ada.id).where('title', '=', title).execute()
  await publish(open.shop, ada, 'A song')
  for (let day = 0; day < 3; day++) {
    await passHours(open.shop, 24)
    await notify()
    for (const title of ['Before', 'A song']) {
      await set(title, [{ isActive: false }, { isOutOfStock: true }, { takenDown: 'No rights.' }][day]!)
      await set(title, { isActive: true, isOutOfStock: false, takenDown: null })
    }
  }
  expect(await subjectsTo(mia)).toEqual(['New from Ada P.: “A song”'])
  // who unfollows and follows again starts anew
  await mia.call(unfollowSeller, { id: ada.id })
  await mia.call(followSeller, { id: ada.id, source: 'seller_page' })
  await passHours(open.shop, 24)
  await notify()
  expect(await subjectsTo(mia)).toHaveLength(1)
})

type Changed = { ada: Person; productId: string }
const change = (text: string, productId: string) =>
  open.shop.database.pool.query(`UPDATE products SET ${text} WHERE id = $1`, [productId])
const AWAY: [string, (changed: Changed) => Promise<unknown>][] = [
  ['that staff took down', ({ productId }) => change(`taken_down = 'No rights.'`, productId)],
  ['that its seller withdrew', ({ productId }) => change('is_active = false, withdrawn_at = now()', productId)],
  ['that is sold out', ({ productId }) => change('is_out_of_stock = true', productId)],
  [
    'of a suspended seller',
    async ({ ada }) => {
      const staff = await open.shop.join({ role: 'support' })
      await staff.call(suspendSeller, { id: ada.id, reason: 'Fraud.', days: null })
    },
  ],
  ['that is two weeks old', () => passHours(open.shop, 14 * 24)],
]

test.each(AWAY)('announces no product %s', async (_, take) => {
  const ada = await joinSeller('Ada')
  const mia = await joinFollower(ada)
  const { id: productId } = await publish(open.shop, ada, 'A song')
  await passHours(open.shop, 24)
  await take({ ada, productId })
  await notify()
  expect([await subjectsTo(mia), await pushesTo(mia)]).toEqual([[], []])
})

test('a product that was withdrawn on its first day is new when it returns', async () => {
  const ada = await joinSeller('Ada')
  const mia = await joinFollower(ada)
  const { id } = await publish(open.shop, ada, 'With a mistake')
  await change('is_active = false, withdrawn_at = now()', id)
  await publish(open.shop, ada, 'Other')
  await passHours(open.shop, 24)
  await notify()
  await change(`is_active = true, withdrawn_at = NULL, title = 'Corrected'`, id)
  await passHours(open.shop, 24)
  await notify()
  expect(await subjectsTo(mia)).toEqual(['New from Ada P.: “Other”', 'New from Ada P.: “Corrected”'])
})

test('a draft is new when it goes on sale', async () => {
  const ada = await joinSeller('Ada')
  const mia = await joinFollower(ada)
  const { id } = await publish(open.shop, ada, 'Draft', { isDraft: true })
  await passHours(open.shop, 48)
  await notify()
  expect(await subjectsTo(mia)).toEqual([])
  await change('is_active = true', id)
  await passHours(open.shop, 24)
  await notify()
  expect(await subjectsTo(mia)).toEqual(['New from Ada P.: “Draft”'])
})

test.each([
  ['an address that is not verified', 'email_verified = false', 1],
  ['an address that refuses mails', 'mail_refused_at = now()', 1],
  ['a member who turned these mails off', 'wants_follows = false', 0],
])('mails nothing to %s', async (_, text, pushes) => {
  const ada = await joinSeller('Ada')
  const mia = await joinFollower(ada)
  await open.shop.database.pool.query(`UPDATE users SET ${text} WHERE id = $1`, [mia.id])
  expect(await mia.call(followSeller, { id: ada.id, source: 'seller_page' })).toMatchObject({ isMailed: false })
  await publish(open.shop, ada, 'A song')
  await passHours(open.shop, 24)
  await notify()
  expect(await subjectsTo(mia)).toEqual([])
  expect(await pushesTo(mia)).toHaveLength(pushes)
  // after the member turns the mails on again, they do not repeat announced products
  await open.shop.database.pool.query(
    'UPDATE users SET email_verified = true, mail_refused_at = NULL, wants_follows = true WHERE id = $1',
    [mia.id],
  )
  await passHours(open.shop, 24)
  await notify()
  expect(await subjectsTo(mia)).toEqual([])
})

test('notifies no member who unfollowed or leaves', async () => {
  const ada = await joinSeller('Ada')
  const [gone, leaving] = [await joinFollower(ada), await joinFollower(ada)]
  await publish(open.shop, ada, 'A song')
  await gone.call(unfollowSeller, { id: ada.id })
  await sql`UPDATE users SET erase_at = now() + interval '9 days' WHERE id = ${leaving.id}::uuid`.execute(db())
  await passHours(open.shop, 24)
  await notify()
  for (const person of [gone, leaving]) expect([await subjectsTo(person), await pushesTo(person)]).toEqual([[], []])
})

test('one press in a mail program unfollows this seller only, without a session', async () => {
  const [ada, bob] = [await joinSeller('Ada'), await joinSeller('Bob')]
  const [mia, eve] = [await joinFollower(ada, bob), await joinFollower(ada)]
  await publish(open.shop, ada, 'A song')
  await passHours(open.shop, 24)
  await notify()
  const url = new URL((await mailsTo(mia))[0]!.unsubscribeUrl!)
  const send = (path: string, method = 'POST') =>
    fetch(open.shop.url + path, {
      ...{ method, redirect: 'manual' },
      ...(method === 'POST' && { body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }),
    })
  const path = url.pathname + url.search
  const followedBy = async (person: Person) => (await person.call(listFollowed, {})).map(({ name }) => name).toSorted()
  // opening the link, as a mail scanner does, does not unfollow
  expect(await (await send(path, 'GET')).text()).toContain('Unfollow Ada P.?')
  for (const false_ of [
    path.replace(mia.id, eve.id),
    path.replace(ada.id, bob.id),
    path.replace(/key=./, 'key=_'),
    path.replace(/key=.*/, 'key='),
    path.replace(ada.id, 'x'),
    url.pathname,
  ])
    for (const method of ['GET', 'POST']) expect((await send(false_, method)).status, false_).toBe(404)
  expect(await followedBy(mia)).toEqual(['Ada P.', 'Bob P.'])
  expect((await send(path)).status).toBe(200)
  expect((await send(path)).status).toBe(200)
  expect([await followedBy(mia), await followedBy(eve)]).toEqual([['Bob P.'], ['Ada P.']])
  expect(await mia.call(getAccount, {})).toMatchObject({ wantsFollows: true, wantsMessages: true })
})

test('one link in each mail ends the mails about all sellers', async () => {
  const ada = await joinSeller('Ada')
  const mia = await joinFollower(ada)
  await publish(open.shop, ada, 'A song')
  await passHours(open.shop, 24)
  await notify()
  const { pathname, search } = new URL((await mailsTo(mia))[0]!.unsubscribeUrl!)
  const page = await (await fetch(open.shop.url + pathname + search)).text()
  const all = new URL(/href="([^"]*list=follows[^"]*)"/.exec(page)![1]!.replaceAll('&amp;', '&'))
  expect((await fetch(open.shop.url + all.pathname + all.search, { method: 'POST' })).status).toBe(200)
  expect(await mia.call(getAccount, {})).toMatchObject({ wantsFollows: false, wantsMessages: true })
  expect(await mia.call(listFollowed, {})).toHaveLength(1)
})

test('a member turns all these mails off and keeps following', async () => {
  const mia = await joinFollower(await joinSeller('Ada'))
  expect(await mia.call(setMails, { wantsFollows: false })).toMatchObject({ wantsFollows: false, wantsNews: false })
  expect(await mia.call(listFollowed, {})).toHaveLength(1)
})

test('two nodes that run the job at once notify each follower once', async () => {
  const ada = await joinSeller('Ada')
  const followers = await Promise.all(Array.from({ length: 3 }, () => joinFollower(ada)))
  await publish(open.shop, ada, 'A song')
  await passHours(open.shop, 24)
  const claim = () => inTransaction(db(), (tx) => claimNewProducts(tx, { days: 14, limit: 100, maxTitles: MAX_TITLES }))
  const claimed = (await Promise.all([claim(), claim(), claim()])).flat().map(({ userId }) => userId)
  const isOwn = (id: string) => followers.some((follower) => follower.id === id)
  expect(claimed.filter(isOwn).toSorted()).toEqual(followers.map(({ id }) => id).toSorted())
})

test('one run sends at most 500 mails, so that they do not delay other mails', async () => {
  const ada = await joinSeller('Ada')
  await sql`WITH made AS (INSERT INTO users (email, email_verified) SELECT 'fan' || n || '@test.example', true
      FROM generate_series(1, 501) n RETURNING id)
    INSERT INTO follows (user_id, seller_id, source) SELECT id, ${ada.id}::uuid, 'seller_page' FROM made`.execute(db())
  await publish(open.shop, ada, 'A song')
  await passHours(open.shop, 24)
  const count = async () => {
    const mails = sql<{ n: number }>`SELECT count(*)::int AS n FROM mails WHERE recipient LIKE 'fan%'`
    return (await mails.execute(db())).rows[0]!.n
  }
  await notify()
  expect(await count()).toBe(500)
  await notify()
  expect(await count()).toBe(501)
})

test('lists ten titles of a bulk publication and counts the others', async () => {
  const ada = await joinSeller('Ada')
  const mia = await joinFollower(ada)
  for (let n = 1; n <= 12; n++) await publish(open.shop, ada, `Part ${n}`)
  await passHours(open.shop, 24)
  await notify()
  const text = await mailedText(open.shop, mia.email, '12 new products from Ada P.')
  expect(text).toContain('“Part 10”')
  expect(text).not.toContain('“Part 11”')
  expect(text).toContain('And 2 more.')
})

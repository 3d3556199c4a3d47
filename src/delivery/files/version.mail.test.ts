import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct, type TestProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { setProductFiles } from '../../catalogue/catalogue.contract.ts'
import { getAccount, setMails } from '../../identity/accounts/account.contract.ts'
import { upload } from '../../../test/served.ts'

const open = openShopForTests({}, { hasJobs: true })
const db = () => open.shop.database.db

async function listed(): Promise<{ seller: Person; book: TestProduct }> {
  const [seller, book] = [await open.shop.join({ firstName: 'Sally' }), await addProduct(open.shop, { title: 'Bread' })]
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${book.id}::uuid`.execute(db())
  return { seller, book }
}

let edition = 1
const replace = async (seller: Person, { id }: TestProduct, note?: string) => {
  const digitalFileURL = await upload(open.shop, seller, Buffer.from(`Edition ${++edition}`), 'next.txt')
  await seller.call(setProductFiles, { id, digitalFileURL, ...(note !== undefined && { note }) })
}

const mailsTo = ({ email }: Person) =>
  db()
    .selectFrom('mails')
    .select(['subject', 'bodyText', 'bodyHtml', 'unsubscribeUrl'])
    .where('recipient', '=', email)
    .where('key', 'like', 'version:%')
    .execute()

test('mails the note to buyers of an earlier version who want it, once a day', async () => {
  const { seller, book } = await listed()
  const [ada, refunded, quiet, bounced, late] = await Promise.all(Array.from({ length: 5 }, () => open.shop.join()))
  const order = await buy(open.shop, ada!, book)
  for (const person of [refunded!, quiet!, bounced!]) await buy(open.shop, person, book)
  // a second copy is a gift, so its owner gets no mail
  await buy(open.shop, ada!, book)
  await db().updateTable('entitlements').set({ revokedAt: new Date() }).where('userId', '=', refunded!.id).execute()
  await quiet!.call(setMails, { wantsVersions: false })
  await db().updateTable('users').set({ mailRefusedAt: new Date() }).where('id', '=', bounced!.id).execute()
  await replace(seller, book, 'Chapter <2> is whole.')
  await expect.poll(async () => (await mailsTo(ada!)).length, { timeout: 20_000 }).toBe(1)
  const [mail] = await mailsTo(ada!)
  expect(mail!.subject).toBe('A newer version of “Bread”')
  expect(mail!.bodyText).toContain('Sally P. has sent a newer version of “Bread”, which you bought.')
  expect(mail!.bodyText).toContain(`/orders/${order.id}`)
  expect(mail!.bodyHtml).toContain('Chapter &lt;2&gt; is whole.')
  await buy(open.shop, late!, book)

  // another version on the same day, and one without a note
  await replace(seller, book, 'A spelling mistake.')
  await replace(seller, book)
  const other = await listed()
  await buy(open.shop, ada!, other.book)
  await replace(other.seller, other.book, 'Another product.')
  await expect.poll(async () => (await mailsTo(ada!)).length, { timeout: 20_000 }).toBe(2)
  expect((await mailsTo(ada!)).filter(({ bodyText }) => bodyText.includes('spelling'))).toEqual([])
  for (const person of [refunded!, quiet!, bounced!, seller]) expect(await mailsTo(person)).toEqual([])
})

test('unsubscribes from these mails only, without a session', async () => {
  const { seller, book } = await listed()
  const ada = await open.shop.join()
  await ada.call(setMails, { wantsNews: true })
  await buy(open.shop, ada, book)
  await replace(seller, book, 'More.')
  await expect.poll(async () => (await mailsTo(ada)).length, { timeout: 20_000 }).toBe(1)
  const url = new URL((await mailsTo(ada))[0]!.unsubscribeUrl!)
  const ask = (path: string, method = 'POST') => fetch(open.shop.url + path, { method, redirect: 'manual' })
  const path = url.pathname + url.search
  const page = await ask(path, 'GET')
  expect(await page.text()).toContain('No more mails about newer versions?')
  for (const false_ of [
    path.replace('list=versions', 'list=news'),
    path.replace('&list=versions', ''),
    path.replace('list=versions', 'list=toString'),
  ])
    expect((await ask(false_)).status).toBe(404)
  expect(await ada.call(getAccount, {})).toMatchObject({ wantsNews: true, wantsVersions: true })
  expect((await ask(path)).status).toBe(200)
  expect(await ada.call(getAccount, {})).toMatchObject({ wantsNews: true, wantsVersions: false })
})

test('mails nothing about a product that staff took off sale, or whose seller is suspended', async () => {
  const [down, suspended, fine] = [await listed(), await listed(), await listed()]
  const ada = await open.shop.join()
  for (const { book } of [down, suspended, fine]) await buy(open.shop, ada, book)
  await db().updateTable('products').set({ takenDown: 'No rights.' }).where('id', '=', down.book.id).execute()
  await db().updateTable('products').set({ isSuspended: true }).where('id', '=', suspended.book.id).execute()
  for (const { seller, book } of [down, suspended, fine]) await replace(seller, book, `Note of ${book.id}`)
  // all three jobs are done
  const jobs = () => sql`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'mail_new_version'`.execute(db())
  await expect.poll(async () => (await jobs()).rows.length, { timeout: 20_000 }).toBe(0)
  const mails = await mailsTo(ada)
  expect(mails.map(({ bodyText }) => bodyText)).toEqual([expect.stringContaining(`Note of ${fine.book.id}`)])
})

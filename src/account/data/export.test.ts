import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { dispute } from '../../../test/dispute.ts'
import { addProduct } from '../../../test/goods.ts'
import { mailedLink } from '../../../test/mail.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { unzip } from '../../../test/unzip.ts'
import { sendChat } from '../../support/chat/chat.contract.ts'
import { addToCart } from '../../cart/cart.contract.ts'
import { saveUnfinished } from '../../catalogue/add-product/unfinished.contract.ts'
import { getProduct } from '../../catalogue/catalogue.contract.ts'
import { updateSuspended } from '../../catalogue/offSale.server.ts'
import { addDisputeFact } from '../../aftersale/sellerDisputes/sellerDispute.contract.ts'
import { requestRefund } from '../../aftersale/refunds/request.contract.ts'
import { grantDownload } from '../../delivery/files/files.contract.ts'
import { getAccount } from '../../identity/accounts/account.contract.ts'
import { requestDeletion } from '../../identity/accounts/deletion.contract.ts'
import { keepAccount } from '../../identity/accounts/deletion.server.ts'
import { changeEmail } from '../../identity/email/emailChange.contract.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { saveWallet } from '../../payments/wallets.store.server.ts'
import { revokeWallet, walletJobs } from '../../payments/wallets.server.ts'
import { listReviews, saveAnswer, saveReview } from '../../reviews/reviews.contract.ts'
import { saveNote } from '../../selling/customers/customers.contract.ts'
import { reportMessages, sendMessage } from '../../selling/messages/messages.contract.ts'
import { eraseDueAccounts } from './erase.server.ts'
import { requestExport } from './export.contract.ts'
import { readStatements, TABLES } from './export.rows.server.ts'

const open = openShopForTests()
const db = () => open.shop.database.db
const fetchAs = (path: string, person?: Person) =>
  fetch(open.shop.url + path, { redirect: 'manual', ...(person && { headers: { cookie: person.cookie } }) })

test('exports all data of the account with a list of what it bought, and nothing of other accounts', async () => {
  const [ada, bob] = [await open.shop.join({ firstName: 'Ada' }), await open.shop.join({ firstName: 'Bob' })]
  const product = await addProduct(open.shop)
  const order = await buy(open.shop, ada, product)
  await buy(open.shop, bob, await addProduct(open.shop))
  await ada.call(sendChat, { message: 'Where is my book?' })
  const lineId = order.lines[0]!.id
  await ada.call(sendMessage, { id: lineId, messageId: crypto.randomUUID(), text: 'Is it long?' })
  await ada.call(reportMessages, { id: lineId, note: 'No answer' })
  await ada.call(addToCart, { productId: (await addProduct(open.shop)).id, quantity: 2 })
  const { url } = await ada.call(requestExport, {})
  const answer = await fetchAs(url, ada)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(answer.headers.get('cache-control')).toContain('no-store')
  const files = unzip(Buffer.from(await answer.arrayBuffer()))
  const read = (name: string) => JSON.parse(files.get(name)!.toString()) as Record<string, unknown>[]
  expect(JSON.parse(files.get('profile.json')!.toString())).toMatchObject({ email: ada.email, firstName: 'Ada' })
  expect(read('orders.json').map(({ id }) => id)).toEqual([order.id])
  expect(read('chat.json')[0]).toMatchObject({ author: 'user', message: 'Where is my book?' })
  expect(read('messages.json')).toMatchObject([{ author: 'you', text: 'Is it long?' }])
  expect(read('reported-messages.json')).toMatchObject([{ note: 'No answer' }])
  expect(read('ended-messages.json')).toHaveLength(1)
  expect(read('cart.json')).toMatchObject([{ quantity: 2 }])
  expect(read('bought.json')).toMatchObject([{ page: `/orders/${order.id}`, files: ['book.txt'] }])
  expect([...files.keys()].filter((name) => !name.endsWith('.json'))).toEqual([])
  const all = [...files.values()].map((bytes) => bytes.toString()).join()
  expect(all).not.toContain(bob.email)
  expect(all).not.toMatch(/token_hash|password|argon2|sealed|vault/)
  // details of risk scores and counts of other accounts would help a fraudster
  expect(read('decisions.json')[0]).toMatchObject({ decision: 'allow' })
  expect(Object.keys(read('decisions.json')[0]!)).not.toEqual(expect.arrayContaining(['score']))
  expect(all).not.toMatch(/networkAccounts|"score"|"reasons"|"facts"/)
  for (const row of Object.keys(TABLES)) expect(Array.isArray(read(row)), row).toBe(true)
})

/** Tables, or one column of a table, that refer to an account but are not exported, with the reason. */
const IN_NO_FILE: Record<string, string> = {
  chat_conversations: 'repeats chat.json',
  chat_lessons: 'names the staff member who taught it',
  chat_notes: 'belongs to staff',
  chat_waits: 'times of the messages in chat.json',
  chat_presence: 'times when staff were online',
  'cart_discounts.seller_id': 'belongs to the carts of buyers',
  'customer_notes.user_id': 'private words of a seller, who shows them on request; the privacy page says so',
  'follows.seller_id': 'names the followers of a seller, who sees their number only',
  'message_blocks.blocked_id': 'belongs to the member who ended the messages',
  risk_weights: 'names the staff member who changed them',
  payout_batches: 'names the staff member who approved it',
  payout_confirmations: 'names the staff member who decided first',
  refund_approvals: 'names the staff members who asked and decided',
  product_counts: 'repeats products.json and sales-days.json',
  product_sum_days: 'repeats sales-days.json',
  product_sums: 'repeats sales-days.json',
  refunds: 'names the staff member; payments.json holds the refunds of an account',
}

test('every table that names an account is in its export', async () => {
  const { rows } = await open.shop.database.pool.query<{ place: string }>(
    `SELECT DISTINCT conrelid::regclass::text AS place FROM pg_constraint
     WHERE contype = 'f' AND confrelid IN ('users'::regclass, 'second_factors'::regclass, 'credit_accounts'::regclass)`,
  )
  expect(rows.length).toBeGreaterThan(25)
  const read = Object.values(TABLES).join(' ')
  const left = rows.map(({ place }) => place).filter((place) => !new RegExp(`(FROM|JOIN) ${place}\\b`).test(read))
  expect(left.filter((place) => !(place in IN_NO_FILE))).toEqual([])
  expect(left.sort()).toEqual(expect.arrayContaining(['chat_conversations', 'chat_presence', 'risk_weights']))
})

test('a row of two accounts is in the export of both, or a reason says why not', async () => {
  const { rows } = await open.shop.database.pool.query<{ place: string; name: string }>(
    `SELECT c.conrelid::regclass::text AS place, a.attname AS name FROM pg_constraint c
     JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass AND c.confdeltype = 'c'`,
  )
  const shared = rows.filter(({ place }) => rows.filter((row) => row.place === place).length > 1)
  expect(shared.length).toBeGreaterThan(1)
  const isRead = ({ place, name }: { place: string; name: string }) =>
    Object.values(TABLES).some((text) => text.includes(` ${place} `) && text.includes(`${name} = $1`))
  const left = shared.filter((row) => !isRead(row)).map(({ place, name }) => `${place}.${name}`)
  expect(left.filter((one) => !(one in IN_NO_FILE))).toEqual([])
})

test('exports a seller’s notes with the customers and no notes about the member', async () => {
  const [seller, ada] = [await open.shop.join(), await open.shop.join({ firstName: 'Ada' })]
  const product = await addProduct(open.shop)
  await db().updateTable('products').set({ sellerId: seller.id }).where('id', '=', product.id).execute()
  const { lines } = await buy(open.shop, ada, product)
  const { review } = await ada.call(saveReview, { lineId: lines[0]!.id, stars: 2, text: 'Too short.' })
  await seller.call(saveAnswer, { id: review!.id, text: 'A longer one comes.' })
  await seller.call(saveNote, { id: ada.id, note: 'Wants a class licence.', version: 0 })
  const filesOf = async (person: Person) => {
    const { url } = await person.call(requestExport, {})
    return unzip(Buffer.from(await (await fetchAs(url, person)).arrayBuffer()))
  }
  const files = await filesOf(seller)
  const read = (name: string) => JSON.parse(files.get(name)!.toString()) as unknown
  expect(read('customer-notes.json')).toMatchObject([{ customer: 'Ada P.', note: 'Wants a class licence.' }])
  expect(read('review-answers.json')).toMatchObject([{ text: 'A longer one comes.', taken_down: null }])
  expect([...(await filesOf(ada)).values()].join()).not.toContain('Wants a class licence.')
})

async function listed(seller: Person) {
  const product = await addProduct(open.shop)
  await db().updateTable('products').set({ sellerId: seller.id }).where('id', '=', product.id).execute()
  return product
}

const NOTHING_ENTERED = { title: '', price: '', categoryId: '', delivery: null, image: null, file: null, more: [] }

/**
 * The member buys, sells, begins to add a product and writes to the other side of each sale. Both payments are disputed,
 * and both sellers add a fact.
 */
async function buyAndSell(member: Person, { words, message, name }: Record<'words' | 'message' | 'name', string>) {
  const [seller, buyer] = [await open.shop.join(), await open.shop.join()]
  const bought = await buy(open.shop, member, await listed(seller))
  const sold = await buy(open.shop, buyer, await listed(member))
  const [boughtId, soldId] = [bought.lines[0]!.id, sold.lines[0]!.id]
  const write = (person: Person, id: string, text: string) =>
    person.call(sendMessage, { id, text, messageId: randomUUID() })
  await write(member, boughtId, message)
  await write(seller, boughtId, 'The seller answers.')
  await write(buyer, soldId, 'The buyer asks.')
  await write(seller, (await buy(open.shop, buyer, await listed(seller))).lines[0]!.id, 'Between two others.')
  await member.call(saveUnfinished, { id: randomUUID(), entered: { ...NOTHING_ENTERED, description: words } })
  const [first, second] = [await dispute(open.shop, bought.id), await dispute(open.shop, sold.id)]
  await seller.call(addDisputeFact, { id: boughtId, text: `${name} wrote that it works.`, deliveryKeys: [] })
  await member.call(addDisputeFact, { id: soldId, text: words, deliveryKeys: [] })
  return { soldId: sold.id, end: async () => void [await first.end('win'), await second.end('lose')] }
}

test('exports messages, facts about disputes and unfinished products of this member only', async () => {
  const ada = await open.shop.join({ firstName: 'Ada' })
  const { soldId } = await buyAndSell(ada, { words: 'Words of Ada.', message: 'Ada asks.', name: 'Ada' })
  const { url } = await ada.call(requestExport, {})
  const files = unzip(Buffer.from(await (await fetchAs(url, ada)).arrayBuffer()))
  const read = (name: string) => JSON.parse(files.get(name)!.toString()) as Record<string, unknown>[]
  expect(read('messages.json').map(({ author, text }) => [author, text])).toEqual([
    ['you', 'Ada asks.'],
    ['other', 'The seller answers.'],
    ['other', 'The buyer asks.'],
  ])
  expect(read('dispute-facts.json')).toMatchObject([{ order_id: soldId, text: 'Words of Ada.' }])
  expect(read('unfinished-products.json')).toMatchObject([{ entered: { description: 'Words of Ada.' } }])
})

test('the export link works for one account and one minute, and requires a fresh proof of identity', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const { url } = await ada.call(requestExport, {})
  expect((await fetchAs(url)).status).toBe(401)
  expect((await fetchAs(url, bob)).status).toBe(404)
  expect((await fetchAs(url.replace(/expires=\d/, 'expires=9'), ada)).status).toBe(404)
  expect((await fetchAs('/api/account/export', ada)).status).toBe(404)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  expect((await fetchAs(url, ada)).status).toBe(410)
  vi.useRealTimers()
  await db()
    .updateTable('sessions')
    .set({ verifiedAt: new Date(0) })
    .where('userId', '=', ada.id)
    .execute()
  for (const ask of [requestExport, requestDeletion] as const)
    await expect(ada.call(ask, {})).rejects.toMatchObject({ status: 403, code: 'step_up_required' })
})

test('a deletion link that was mailed to a former address deletes nothing', async () => {
  const ada = await open.shop.join()
  await ada.call(requestDeletion, {})
  const link = await mailedLink(open.shop, ada.email, 'Delete your account?')
  await moveTo(ada, 'ada.elsewhere@test.example')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await fetch(link, { method: 'POST', headers })).status).toBe(410)
  expect((await userOf(ada)).eraseAt).toBeNull()
  expect((await fetchAs('/api/auth/user', ada)).status).toBe(200)
})

/** Requests the deletion and confirms it by the mailed link. Returns the page's status. */
async function begin(person: Person): Promise<number> {
  await person.call(requestDeletion, {})
  const { pathname, search } = await mailedLink(open.shop, person.email, 'Delete your account?')
  const path = pathname + search
  expect((await fetchAs(path)).status).toBe(200)
  const press = () =>
    fetch(open.shop.url + path, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  const { status } = await press()
  expect((await press()).status).toBe(410)
  return status
}
/** Changes the address of the account and opens the mailed link. */
async function moveTo(person: Person, email: string) {
  await person.call(changeEmail, { email })
  const link = await mailedLink(open.shop, email)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie: person.cookie }
  expect((await fetch(link, { method: 'POST', headers })).status).toBe(200)
}
const userOf = ({ id }: Person) => db().selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const mailsOf = ({ email }: Person, subject: string) =>
  db().selectFrom('mails').select('id').where('recipient', '=', email).where('subject', '=', subject).execute()
const keptJobs = async ({ id }: Person) => {
  const text = `SELECT FROM graphile_worker._private_jobs WHERE key = 'account_kept:' || $1`
  return (await open.shop.database.pool.query(text, [id])).rowCount
}
/** Runs the job that a sign-in before the erasure enqueues. */
const workKept = ({ id }: Person) => {
  const { database, checkout, url } = open.shop
  const linkOf = (path: string) => url + path
  return keepAccount({ db: database.db, config: checkout.config, linkOf, updateSale: updateSuspended }, id)
}
const letPass = (days: number) =>
  open.shop.database.pool.query(`UPDATE users SET erase_at = erase_at - $1 * interval '1 day'`, [days])

test('a deletion starts with the mailed link, ends all sessions, and a sign-in within 14 days cancels it', async () => {
  const ada = await open.shop.join()
  await ada.call(requestDeletion, {})
  expect((await userOf(ada)).eraseAt).toBeNull()
  expect(await begin(ada)).toBe(200)
  await expect.poll(async () => (await fetchAs('/api/auth/user', ada)).status).toBe(401)
  await letPass(13.9)
  await eraseDueAccounts(db())
  expect((await userOf(ada)).email).toBe(ada.email)
  await open.shop.identity.createSession(ada.email)
  expect((await userOf(ada)).eraseAt).toBeNull()
  // a mail and the account page confirm the cancellation
  await workKept(ada)
  await workKept(ada)
  expect(await mailsOf(ada, 'Your account stays')).toHaveLength(1)
  const again = await open.shop.identity.createSession(ada.email)
  const seen = await open.shop.call(getAccount, {}, { headers: { cookie: again } })
  expect(Date.now() - Date.parse(seen.keptAt!)).toBeLessThan(60_000)
  expect(await keptJobs(ada)).toBe(1)
  await letPass(14)
  await eraseDueAccounts(db())
  expect(await userOf(ada)).toMatchObject({ email: ada.email, erasedAt: null })
})

test('erases all personal data after 14 days and keeps orders and an anonymous review', async () => {
  const ada = await open.shop.join({ firstName: 'Adaeze' })
  const product = await addProduct(open.shop)
  const order = await buy(open.shop, ada, product)
  await ada.call(saveReview, { lineId: order.lines[0]!.id, stars: 5, text: 'Good.' })
  const lineIds = [order.lines[0]!.id]
  await ada.call(requestRefund, { id: order.id, lineIds, reason: 'other', note: 'My private words' })
  const { url } = await ada.call(grantDownload, { id: order.id, lineId: order.lines[0]!.id })
  await fetchAs(url, ada)
  await ada.call(sendChat, { message: 'My private words' })
  await ada.call(addToCart, { productId: product.id, quantity: 1 })
  expect((await open.shop.call(listReviews, { id: product.id }))[0]!.author).toContain('Adaeze')
  await saveWallet(db(), {
    userId: ada.id,
    provider: 'paypal',
    mode: 'sandbox',
    vaultId: 'vault-of-ada',
    label: ada.email,
  })
  const words = { words: 'My private words', message: 'My private message', name: 'Adaeze' }
  const { end } = await buyAndSell(ada, words)
  await end()
  await db().updateTable('earnings').set({ availableAt: new Date() }).where('sellerId', '=', ada.id).execute()
  const next = 'adas.next@test.example'
  await moveTo(ada, next)
  await begin({ ...ada, email: next })
  await letPass(15)
  await eraseDueAccounts(db())
  await eraseDueAccounts(db())
  // the token of a wallet is deleted an hour after the provider has revoked it
  const wallets = await db().selectFrom('wallets').select('id').where('userId', '=', ada.id).execute()
  for (const { id } of wallets) await revokeWallet(db(), open.shop.checkout.providers, id)
  await open.shop.database.pool.query(`UPDATE wallets SET revoked_at = now() - interval '2 hours'`)
  await walletJobs(db(), open.shop.checkout.providers)
    .find(({ name }) => name === 'erase_wallets')
    ?.run({})

  const { pool } = open.shop.database
  const { rows: tables } = await pool.query<{ name: string }>(
    // a word of the search index refers to no product and no account
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'search_words'`,
  )
  for (const { name } of tables) {
    const { rows } = await pool.query(`SELECT 1 FROM ${name} t WHERE t::text ~* $1`, [
      `${[ada.email, next].join('|').replaceAll('.', '\\.')}|Adaeze|My private words|vault-of-ada`,
    ])
    expect(rows, `${name} still knows who it was`).toEqual([])
  }
  expect((await pool.query(`SELECT FROM thread_messages WHERE body = 'My private message'`)).rows).toEqual([])
  const addresses = await pool.query('SELECT ip_address FROM delivery_events WHERE user_id = $1', [ada.id])
  expect(addresses.rows).toEqual([{ ip_address: null }])
  await expect(pool.query(`UPDATE delivery_events SET kind = 'reveal'`)).rejects.toThrow('append only')
  const kept = await db().selectFrom('orders').select('status').where('userId', '=', ada.id).execute()
  expect(kept.map(({ status }) => status)).toEqual(['completed', 'completed'])
  await expect
    .poll(async () => (await open.shop.call(listReviews, { id: product.id }))[0])
    .toMatchObject({ author: 'Former member', stars: 5, text: 'Good.' })
  expect(await open.shop.identity.createUser({ email: ada.email, password: 'tame otters sing' })).not.toBe(ada.id)
})

test('a sign-in during the erasure opens no session', async () => {
  const ada = await open.shop.join()
  await db()
    .updateTable('users')
    .set({ eraseAt: new Date(0) })
    .where('id', '=', ada.id)
    .execute()
  await eraseDueAccounts(db())
  const cookie = await open.shop.identity.createSession((await userOf(ada)).email)
  expect((await fetchAs('/api/auth/user', { ...ada, cookie })).status).toBe(401)
})

test('keeps the mails to a former address that belongs to another account', async () => {
  const ada = await open.shop.join()
  await moveTo(ada, 'adas.other@test.example')
  await open.shop.identity.createUser({ email: ada.email, password: 'tame otters sing' })
  const mails = () => db().selectFrom('mails').select('id').where('recipient', '=', ada.email).execute()
  const before = await mails()
  expect(before.length).toBeGreaterThan(0)
  await db()
    .updateTable('users')
    .set({ eraseAt: new Date(0) })
    .where('id', '=', ada.id)
    .execute()
  await eraseDueAccounts(db())
  expect((await userOf(ada)).erasedAt).not.toBeNull()
  expect(await mails()).toEqual(before)
})

test('keeps the sales of an erased seller for their buyers and stops further sales', async () => {
  const [buyer, product] = [await open.shop.join(), await addProduct(open.shop)]
  const order = await buy(open.shop, buyer, product)
  const { sellerId } = await db()
    .selectFrom('products')
    .select('sellerId')
    .where('id', '=', product.id)
    .executeTakeFirstOrThrow()
  const eraseSeller = async () => {
    await db()
      .updateTable('users')
      .set({ eraseAt: new Date(0) })
      .where('id', '=', sellerId)
      .execute()
    await eraseDueAccounts(db())
    const { erasedAt } = await db()
      .selectFrom('users')
      .select('erasedAt')
      .where('id', '=', sellerId)
      .executeTakeFirstOrThrow()
    return erasedAt !== null
  }
  // the money of the sale is not available yet
  expect(await eraseSeller()).toBe(false)
  await db().updateTable('earnings').set({ availableAt: new Date() }).where('sellerId', '=', sellerId).execute()
  expect(await eraseSeller()).toBe(true)
  const { url } = await buyer.call(grantDownload, { id: order.id, lineId: order.lines[0]!.id })
  expect(Buffer.from(await (await fetchAs(url, buyer)).arrayBuffer()).equals(product.bytes)).toBe(true)
  await expect
    .poll(() =>
      open.shop.call(getProduct, { id: product.id }).then(
        () => 200,
        (error: { status: number }) => error.status,
      ),
    )
    .toBe(404)
})

test('takes the products of a seller off sale while the deletion is pending, and puts them back after a sign-in', async () => {
  const [ada, suspended] = [await open.shop.join(), await open.shop.join()]
  const sell = async ({ id }: Person, standing: { isActive?: boolean } = {}) => {
    const product = await addProduct(open.shop)
    await db()
      .updateTable('products')
      .set({ sellerId: id, ...standing })
      .where('id', '=', product.id)
      .execute()
    return product
  }
  const [listed, withdrawn, stopped] = [await sell(ada), await sell(ada, { isActive: false }), await sell(suspended)]
  const onSale = async () => {
    const rows = await db().selectFrom('products').select('id').where('isListed', '=', true).execute()
    return [listed, withdrawn, stopped].map((product) => rows.some(({ id }) => id === product.id))
  }
  await inTransaction(db(), async (tx) => {
    const values = { sellerId: suspended.id, reason: 'Copies', madeBy: ada.id }
    await tx.insertInto('suspensions').values(values).execute()
    await updateSuspended(tx, suspended.id)
  })
  expect(await onSale()).toEqual([true, false, false])
  for (const seller of [ada, suspended]) expect(await begin(seller)).toBe(200)
  expect(await onSale()).toEqual([false, false, false])
  // the end of a suspension or a new product does not put the seller's products on sale
  await inTransaction(db(), (tx) => updateSuspended(tx, ada.id))
  const late = await db()
    .insertInto('products')
    .columns(['title', 'priceCents', 'categoryId', 'sellerId', 'delivery'])
    .expression((row) =>
      row
        .selectFrom('products')
        .select(['title', 'priceCents', 'categoryId', 'sellerId', 'delivery'])
        .where('id', '=', listed.id),
    )
    .returning('isSuspended')
    .executeTakeFirstOrThrow()
  expect(late.isSuspended).toBe(true)
  for (const seller of [ada, suspended]) {
    await open.shop.identity.createSession(seller.email)
    await workKept(seller)
  }
  expect(await onSale()).toEqual([true, false, false])
})

test('reads one statement for each file with any line ends, and rejects another number', () => {
  expect(readStatements('-- a.json\r\nSELECT 1;\r\n-- b.json\r\nSELECT 2;\r\n')).toEqual({
    'a.json': 'SELECT 1',
    'b.json': 'SELECT 2',
  })
  for (const text of ['-- a.json\nSELECT 1\n-- b.json\nSELECT 2;', '-- a.json\nSELECT 1;\nSELECT 2;', '-- a b.json\n'])
    expect(() => readStatements(text), text).toThrow('export.sql')
})

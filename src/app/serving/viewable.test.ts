import { expect, test } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { buy } from '../../../test/buy.ts'
import { earn, passPayoutWait } from '../../../test/earn.ts'
import { buyMany } from '../../../test/order.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { seeAs } from '../../../test/view.ts'
import { addToCart } from '../../cart/cart.contract.ts'
import { END_VIEW_LINE } from '../../identity/viewing/staffView.ts'
import { fillPath, isForStaff, type Line } from '../../kit/contract.ts'
import { accessOf, lineOf, type Route } from '../../kit/handle.server.ts'
import { giveCopies } from '../../delivery/gifts/gifts.contract.ts'
import { requestPayout, savePayoutDetails } from '../../payments/payouts/payouts.contract.ts'
import { saveNote } from '../../selling/customers/customers.contract.ts'
import { sendChat } from '../../support/chat/chat.contract.ts'
import { answerCustomer } from '../../support/inbox/inbox.contract.ts'
import { VIEWABLE } from './viewable.ts'

// Staff who see the shop as a member can only read. Goods and secrets stay closed (decision 96).

// Includes the routes that optional settings add.
const open = openShopForTests({
  BONUS_PERCENT: '0',
  SELLERS_SEE_EMAIL: 'on',
  MAIL_BOUNCE_TOKEN: 'a-token-that-nobody-here-sends',
  METRICS_TOKEN: 'a-token-that-nobody-here-sends',
})

const GOODS = 'hands out goods, or shows codes and keys'
const FILE = 'hands out a file'
const SECRET = 'shows a secret, a way to pay, or a way to sign in'
const NOTE = 'shows a note that nobody else reads'
const OTHERS = 'shows names and addresses of people who get no mail about the view'
const BROWSER = 'belongs to an open page or browser of the member'
const OUTSIDE = 'is no part of the shop that a member sees'

/** The reads that stay closed, with the reason. A new read needs an entry here or in `VIEWABLE`. */
const CLOSED: Record<Line, string> = {
  'GET /api/account/balance/statement.csv': FILE,
  'GET /api/account/balance/statement.pdf': FILE,
  'GET /api/account/discounts': SECRET,
  'GET /api/account/discounts/:id': SECRET,
  'GET /api/account/export': FILE,
  'GET /api/account/passkeys': SECRET,
  'GET /api/account/products.csv': FILE,
  'GET /api/account/products/imports/:id': FILE,
  'GET /api/account/products/imports/:id/rows': FILE,
  'GET /api/account/sales.csv': FILE,
  'GET /api/account/second-factor': SECRET,
  'GET /api/account/sessions': SECRET,
  'GET /api/account/step-up': SECRET,
  'GET /api/account/webhook-messages': SECRET,
  'GET /api/account/webhook-messages/failed': SECRET,
  'GET /api/account/webhooks': SECRET,
  'GET /api/chat/answers/:id': BROWSER,
  'GET /api/events': BROWSER,
  'GET /api/learn/:id/certificate': FILE,
  'GET /api/learn/:id/lessons': GOODS,
  'GET /api/learn/:id/lessons/:lessonId': GOODS,
  'GET /api/licenses/keys': OUTSIDE,
  'GET /api/mails/unfollow': OUTSIDE,
  'GET /api/mails/unsubscribe': OUTSIDE,
  'GET /api/orders/:id/bank': SECRET,
  'GET /api/orders/:id/invoices/:invoiceId/file': FILE,
  'GET /api/orders/:id/lines/:lineId/gifts': OTHERS,
  'GET /api/orders/:id/lines/:lineId/license': GOODS,
  'GET /api/payments/methods': SECRET,
  'GET /api/payments/transfers/:orderId': SECRET,
  'GET /api/payouts': SECRET,
  'GET /api/products/:id/codes': GOODS,
  'GET /api/products/:id/course': GOODS,
  'GET /api/products/:id/course/files/:fileId': FILE,
  'GET /api/products/:id/course/learner': GOODS,
  'GET /api/products/:id/course/parts/:partId': GOODS,
  'GET /api/products/:id/licenses': GOODS,
  'GET /api/push/key': BROWSER,
  'GET /api/read/:id': GOODS,
  'GET /api/selling/code-cases': GOODS,
  'GET /api/selling/customers.csv': FILE,
  'GET /api/selling/customers/:id': NOTE,
  'GET /api/selling/discounts/:id/uses': OTHERS,
  'GET /api/wallets': SECRET,
  'GET /certificates/:number': FILE,
  'GET /companion/s3/multipart/:uploadId': FILE,
  'GET /companion/s3/multipart/:uploadId/:partNumber': FILE,
  'GET /companion/s3/params': FILE,
  'GET /companion/s3/sts': FILE,
  'GET /dispute-files/:id': FILE,
  'GET /docs': OUTSIDE,
  'GET /downloads/:id': GOODS,
  'GET /metrics': OUTSIDE,
  'GET /objects/:id': FILE,
  'GET /openapi.json': OUTSIDE,
  'GET /samples/:id': FILE,
  'GET /setup': SECRET,
}
const isOutside = (line: Line) => /^GET \/(sandbox|dev|api\/login)(\/|$)/.test(line)

/** Replies that are the same for everybody. Their routes do not know the caller. */
const isForAll = (route: Route) => route.kind === 'cached' || (route.kind === 'raw' && !route.knowsCaller)
const isWrite = (line: Line) => !line.startsWith('GET ')

test('every read is viewable or closed with a reason, and only the end of a view is a write', () => {
  const { routes } = open.shop
  const reads = routes.filter((route) => !isWrite(lineOf(route)) && !isForStaff(accessOf(route)) && !isForAll(route))
  const unlisted = reads.map(lineOf).filter((line) => !VIEWABLE.has(line) && !(line in CLOSED) && !isOutside(line))
  expect(unlisted).toEqual([])
  expect(Object.keys(CLOSED).filter((line) => VIEWABLE.has(line as Line))).toEqual([])
  const lines = new Set(routes.map(lineOf))
  expect([...VIEWABLE, ...Object.keys(CLOSED)].filter((line) => !lines.has(line as Line))).toEqual([])
  expect([...VIEWABLE].filter(isWrite)).toEqual([END_VIEW_LINE])
  expect(routes.filter((route) => isWrite(lineOf(route)) && isForAll(route)).map(lineOf)).toEqual([])
})

async function ask({ cookie }: Pick<Person, 'cookie'>, line: Line, ids: Record<string, string>) {
  const { method, path } = fillPath(line, ids)
  const response = await fetch(open.shop.url + path, { method, headers: { cookie }, redirect: 'manual' })
  return { status: response.status, text: await response.text() }
}

const SOME_ID = '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f'
const anyIds = (line: Line) =>
  Object.fromEntries([...line.matchAll(/:(\w+)/g)].map(([, name]) => [name!, SOME_ID] as const))

const joinViewer = async (member: Person) => seeAs(await open.shop.join({ isAdmin: true }), member)

test('refuses every write and every closed read while staff see the shop as a member', async () => {
  const viewer = await joinViewer(await open.shop.join())
  const answered: string[] = []
  for (const route of open.shop.routes) {
    const line = lineOf(route)
    if (VIEWABLE.has(line) || isForAll(route)) continue
    const { status, text } = await ask(viewer, line, anyIds(line))
    if (status !== 409 || !text.includes('"code":"viewing"')) answered.push(`${line}: ${status} ${text.slice(0, 80)}`)
  }
  expect(answered).toEqual([])
}, 60_000)

/** Returns a checksum of each table of the shop, and the number of jobs. */
async function sumUp(): Promise<Record<string, string>> {
  const { pool } = open.shop.database
  const { rows } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  )
  const sums: Record<string, string> = {}
  for (const { name } of rows) {
    const text = `SELECT md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) AS sum FROM ${name} t`
    sums[name] = (await pool.query<{ sum: string }>(text)).rows[0]!.sum
  }
  const jobs = await pool.query<{ count: string }>('SELECT count(*)::text AS count FROM graphile_worker.jobs')
  return { ...sums, jobs: jobs.rows[0]!.count }
}

/** The member sells to a buyer with a shown address, has a private note, a payout and a gift to a third person. */
async function sellAsMember(member: Person, bought: { id: string; lineId: string }) {
  const { shop } = open
  const secret = crypto.randomUUID().slice(0, 8)
  const [buyer, product] = [await shop.join({ firstName: 'Bea' }), await addProduct(shop)]
  const { pool } = shop.database
  await pool.query('UPDATE products SET seller_id = $1 WHERE id = $2', [member.id, product.id])
  await pool.query('UPDATE users SET wants_news = true WHERE id = $1', [buyer.id])
  const sold = await buy(shop, buyer, product)
  await member.call(saveNote, { id: buyer.id, note: `note-${secret}`, version: 0 })
  await earn(shop, member.id, 5000)
  await member.call(savePayoutDetails, { details: { method: 'paypal', email: `member@paid-${secret}.example` } })
  await passPayoutWait(shop, member.id)
  await member.call(requestPayout, { amount: '30.00' })
  const destination = `PayPal account me…@paid-${secret}.example`
  await pool.query('UPDATE payouts SET label = $2 WHERE seller_id = $1', [member.id, destination])
  const gift = { toName: `Gil ${secret}`, toEmail: `gil@gift-${secret}.example`, note: `gift-${secret}` }
  await member.call(giveCopies, { ...bought, quantity: 1, ...gift })
  // the member sees all of it
  const lines: [Line, string][] = [
    ['GET /api/selling/customers', ''],
    ['GET /api/selling/customers/:id', buyer.id],
    ['GET /api/account/sales/:id', sold.lines[0]!.id],
    ['GET /api/account/balance/statement', ''],
  ]
  const own = await Promise.all(lines.map(async ([line, id]) => (await ask(member, line, { id })).text))
  own.push((await ask(member, 'GET /api/orders/:id/lines/:lineId/gifts', bought)).text)
  const leaks = [secret, buyer.email]
  expect(own.map((text) => leaks.some((one) => text.includes(one)))).toEqual(own.map(() => true))
  return { ids: [sold.id, product.id, buyer.id, ...sold.lines.map(({ id }) => id)], leaks }
}

test('the reads of staff who see the shop as a member change no row and deliver no goods', async () => {
  const { shop } = open
  const [member, colleague] = [await shop.join(), await shop.join({ isAdmin: true })]
  const code = crypto.randomUUID().toUpperCase()
  const [file, card] = [await addProduct(shop), await addProduct(shop, { codes: [code] })]
  const order = await buyMany(shop, member, [{ product: file }, { product: card }])
  await member.call(addToCart, { productId: file.id, quantity: 1 })
  await member.call(sendChat, { message: 'Lorem ipsum' })
  await colleague.call(answerCustomer, { userId: member.id, message: 'Dolor sit amet' })
  const sold = await sellAsMember(member, { id: order.id, lineId: order.lines[0]!.id })
  const viewer = await joinViewer(member)

  const before = await sumUp()
  const ids = [order.id, file.id, card.id, ...order.lines.map(({ id }) => id), ...sold.ids]
  const texts: string[] = []
  for (const route of shop.routes) {
    const line = lineOf(route)
    if (line === END_VIEW_LINE || line === 'GET /api/logout') continue
    for (const id of line.includes(':id') ? ids : [''])
      for (const lineId of line.includes(':lineId') ? order.lines.map((one) => one.id) : [''])
        texts.push((await ask(viewer, line, { ...anyIds(line), id, lineId })).text)
  }
  expect(texts.some((text) => text.includes(order.id))).toBe(true)
  expect(texts.some((text) => text.includes('Dolor sit amet'))).toBe(true)
  expect(texts.some((text) => text.includes('"kind":"payout"'))).toBe(true)
  const leaked = [...sold.leaks, code, `the bytes of ${file.id}`, '/downloads/']
  expect(texts.filter((text) => leaked.some((secret) => text.includes(secret)))).toEqual([])
  expect(await sumUp()).toEqual(before)
}, 120_000)

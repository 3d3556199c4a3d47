import { expect, test } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { buyMany } from '../../../test/order.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { viewMember } from '../../admin/members/members.contract.ts'
import { addToCart } from '../../cart/cart.contract.ts'
import { END_VIEW_LINE } from '../../identity/viewing/staffView.ts'
import { fillPath, isForStaff, type Line } from '../../kit/contract.ts'
import { accessOf, lineOf, type Route } from '../../kit/handle.server.ts'
import { sendChat } from '../../support/chat/chat.contract.ts'
import { answerCustomer } from '../../support/inbox/inbox.contract.ts'
import { VIEWABLE } from './viewable.ts'

// Staff who see the shop as a member only read, and no goods and secrets open (decision 96).

// Includes the routes that optional settings add.
const open = openShopForTests({
  BONUS_PERCENT: '0',
  MAIL_BOUNCE_TOKEN: 'a-token-that-nobody-here-sends',
  METRICS_TOKEN: 'a-token-that-nobody-here-sends',
})

const GOODS = 'hands out goods, or shows codes and keys'
const FILE = 'hands out a file'
const SECRET = 'shows a secret, a way to pay, or a way to sign in'
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
  'GET /api/account/webhooks': SECRET,
  'GET /api/chat/answers/:id': BROWSER,
  'GET /api/events': BROWSER,
  'GET /api/learn/:id/certificate': FILE,
  'GET /api/learn/:id/lessons': GOODS,
  'GET /api/learn/:id/lessons/:lessonId': GOODS,
  'GET /api/licenses/keys': OUTSIDE,
  'GET /api/mails/unsubscribe': OUTSIDE,
  'GET /api/orders/:id/bank': SECRET,
  'GET /api/orders/:id/invoices/:invoiceId/file': FILE,
  'GET /api/orders/:id/lines/:lineId/license': GOODS,
  'GET /api/payments/methods': SECRET,
  'GET /api/payments/transfers/:orderId': SECRET,
  'GET /api/payouts': SECRET,
  'GET /api/products/:id/codes': GOODS,
  'GET /api/products/:id/course': GOODS,
  'GET /api/products/:id/course/parts/:partId': GOODS,
  'GET /api/products/:id/licenses': GOODS,
  'GET /api/push/key': BROWSER,
  'GET /api/read/:id': GOODS,
  'GET /api/selling/code-cases': GOODS,
  'GET /api/selling/customers.csv': FILE,
  'GET /api/wallets': SECRET,
  'GET /certificates/:number': FILE,
  'GET /companion/s3/multipart/:uploadId': FILE,
  'GET /companion/s3/multipart/:uploadId/:partNumber': FILE,
  'GET /companion/s3/params': FILE,
  'GET /companion/s3/sts': FILE,
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

const joinViewer = async (memberId: string) => {
  const staff = await open.shop.join({ isAdmin: true })
  await staff.call(viewMember, { id: memberId, reason: 'A report' })
  await expect.poll(async () => (await ask(staff, 'GET /api/auth/user', {})).text).toContain(memberId)
  return staff
}

test('refuses every write and every closed read while staff see the shop as a member', async () => {
  const viewer = await joinViewer((await open.shop.join()).id)
  const answered: string[] = []
  for (const route of open.shop.routes) {
    const line = lineOf(route)
    if (VIEWABLE.has(line) || isForAll(route)) continue
    const { status, text } = await ask(viewer, line, anyIds(line))
    if (status !== 409 || !text.includes('"code":"viewing"')) answered.push(`${line}: ${status} ${text.slice(0, 80)}`)
  }
  expect(answered).toEqual([])
}, 60_000)

/** A sum of each table of the shop, and the number of jobs. */
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

test('the reads of staff who see the shop as a member change no row and hand out no goods', async () => {
  const { shop } = open
  const [member, colleague] = [await shop.join(), await shop.join({ isAdmin: true })]
  const code = crypto.randomUUID().toUpperCase()
  const [file, card] = [await addProduct(shop), await addProduct(shop, { codes: [code] })]
  const order = await buyMany(shop, member, [{ product: file }, { product: card }])
  await member.call(addToCart, { productId: file.id, quantity: 1 })
  await member.call(sendChat, { message: 'Lorem ipsum' })
  await colleague.call(answerCustomer, { userId: member.id, message: 'Dolor sit amet' })
  const viewer = await joinViewer(member.id)

  const before = await sumUp()
  const ids = [order.id, file.id, card.id, ...order.lines.map(({ id }) => id)]
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
  const leaked = [code, `the bytes of ${file.id}`, '/downloads/']
  expect(texts.filter((text) => leaked.some((secret) => text.includes(secret)))).toEqual([])
  expect(await sumUp()).toEqual(before)
}, 120_000)

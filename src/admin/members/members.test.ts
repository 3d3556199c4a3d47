import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { listAudit } from '../../identity/audit/audit.contract.ts'
import { getAccount } from '../../identity/accounts/account.contract.ts'
import { requestRefund } from '../../aftersale/refunds/request.contract.ts'
import { liftSuspension, report, suspendSeller } from '../../moderation/moderation.contract.ts'
import { addAllEvents } from '../../selling/sales/rollup.server.ts'
import { sendChat } from '../../support/chat/chat.contract.ts'
import {
  FIRST_CASES,
  type FoundMember,
  findMembers,
  listMemberCases,
  type MemberCase,
  readMember,
  signOutMember,
} from './members.contract.ts'

const open = openShopForTests()
const joinStaff = () => open.shop.join({ role: 'support' })
const find = async (staff: Person, q: string) => (await staff.call(findMembers, { q })).map(({ id }) => id)

test('shows members to support staff only and answers 404 for an unknown one', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const refused = [ada, await open.shop.join({ role: 'finance' })]
  for (const person of refused) {
    await expect(person.call(findMembers, {})).rejects.toMatchObject({ status: 403 })
    await expect(person.call(readMember, { id: ada.id })).rejects.toMatchObject({ status: 403 })
  }
  await expect(staff.call(readMember, { id: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
  await open.shop.database.pool.query('UPDATE users SET erased_at = now() WHERE id = $1', [ada.id])
  await expect(staff.call(readMember, { id: ada.id })).rejects.toMatchObject({ status: 404 })
  expect(await find(staff, ada.id)).toEqual([])
})

test('finds a member by id, email address and name only', async () => {
  const [zoe, staff] = [await open.shop.join({ firstName: 'Zoë' }), await joinStaff()]
  await open.shop.database.pool.query(`UPDATE users SET last_name = 'O’Neill-Smith' WHERE id = $1`, [zoe.id])
  for (const q of [
    zoe.id,
    zoe.email,
    zoe.email.toUpperCase(),
    ` ${zoe.email} `,
    'zoë',
    'Zoe',
    'smith zo',
    'neill',
    'oneill',
  ])
    expect(await find(staff, q), q).toEqual([zoe.id])
  for (const q of ['zoe nobody', crypto.randomUUID(), 'p_rson', '%', 'nobody@test.example', '- !', "';", "zo':*"])
    expect(await find(staff, q), q).not.toContain(staff.id)
  expect(await find(staff, 'zoe nobody')).toEqual([])
  expect(await find(staff, 'person')).toEqual(expect.arrayContaining([zoe.id, staff.id]))
})

test('finds the buyer of an order or a payment, and the owner of a wallet', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const { pool } = open.shop.database
  const { id } = await buy(open.shop, ada, await addProduct(open.shop))
  const { rows } = await pool.query<{ capture: string }>(
    'SELECT provider_capture_id AS capture FROM payments WHERE order_id = $1',
    [id],
  )
  const capture = rows[0]!.capture
  await pool.query(
    `INSERT INTO wallets (user_id, provider, mode, vault_id, label) VALUES ($1, 'paypal', 'sandbox', 'v-ada', 'Ada@Payer.example')`,
    [ada.id],
  )
  for (const q of [id, `#${id.slice(-8)}`, capture, capture.toLowerCase(), capture.slice(-8), 'ada@payer.example'])
    expect(await find(staff, q), q).toEqual([ada.id])
  for (const q of ['0'.repeat(8), 'bob@payer.example', crypto.randomUUID()]) expect(await find(staff, q), q).toEqual([])
})

test('shows the latest purchases, sales, messages and cases of a member', async () => {
  const [ada, seller, staff] = [await open.shop.join(), await open.shop.join(), await joinStaff()]
  const { pool } = open.shop.database
  const product = await addProduct(open.shop, { title: 'Night Trains', price: '20.00' })
  await pool.query('UPDATE products SET seller_id = $1 WHERE id = $2', [seller.id, product.id])
  const order = await buy(open.shop, ada, product)
  await ada.call(sendChat, { message: 'Where is it?' })
  const asked = { id: order.id, lineIds: [order.lines[0]!.id], reason: 'other' as const, note: '' }
  await ada.call(requestRefund, asked)
  await ada.call(report, { id: product.id, reason: 'harmful', note: 'Lorem' })
  await addAllEvents(open.shop.database.db, async () => undefined)
  const buyer = await staff.call(readMember, { id: ada.id })
  expect(buyer).toMatchObject({
    ...{ disputes: 0, sessions: 1, sales: [] },
    purchases: [{ id: order.id, total: '20.00', titles: ['Night Trains'], lineCount: 1 }],
    cases: [{ kind: 'refundRequest', id: order.id, state: 'open', about: 'Night Trains' }],
  })
  expect(buyer.messages.at(-1)).toMatchObject({ author: 'user', text: 'Where is it?' })
  expect(await staff.call(readMember, { id: seller.id })).toMatchObject({
    ...{ purchases: [], messages: [], sold: { sales: 1, amount: '20.00', refunded: '0.00' } },
    sales: [{ orderId: order.id, title: 'Night Trains', amount: '20.00', isDisputed: false }],
    cases: [{ kind: 'report', state: 'open', about: 'Night Trains' }],
  })
})

test('pages through all cases of a member, each once', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const product = await addProduct(open.shop)
  const { pool } = open.shop.database
  await pool.query('UPDATE products SET seller_id = $1 WHERE id = $2', [ada.id, product.id])
  for (let n = 0; n < 12; n++)
    await pool.query(
      `INSERT INTO suspensions (seller_id, reason, made_by, created_at, lifted_at) VALUES ($1, $2, $3, '2026-01-01', now())`,
      [ada.id, `Reason ${n}`, staff.id],
    )
  await staff.call(suspendSeller, { id: ada.id, reason: 'The last one', days: null })
  const first = (await staff.call(readMember, { id: ada.id })).cases
  expect([first.length, first[0]!.about]).toEqual([FIRST_CASES, 'The last one'])
  const seen: string[] = []
  for (let next: string | null = `/api/admin/members/${ada.id}/cases?limit=5`; next;) {
    const response: Response = await fetch(open.shop.url + next, { headers: { cookie: staff.cookie } })
    expect(response.headers.get('x-total-count')).toBe('13')
    seen.push(...((await response.json()) as MemberCase[]).map(({ about }) => about!))
    next = /<(.+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null
  }
  expect([seen.length, new Set(seen).size]).toEqual([13, 13])
  await expect(ada.call(listMemberCases, { id: ada.id })).rejects.toMatchObject({ status: 403 })
  await staff.call(liftSuspension, { id: ada.id })
})

test('signs a member out everywhere with a mail and an audit entry, and staff only as an administrator', async () => {
  const [ada, staff, other] = [await open.shop.join(), await joinStaff(), await joinStaff()]
  const admin = await open.shop.join({ isAdmin: true })
  await open.shop.identity.createSession(ada.email)
  const { pool } = open.shop.database
  await pool.query(
    `WITH factor AS (INSERT INTO second_factors (user_id, sealed_secret) VALUES ($1, 'x') RETURNING user_id)
     INSERT INTO trusted_browsers (user_id, token_hash, expires_at) SELECT user_id, 'a browser', now() + interval '1 day' FROM factor`,
    [ada.id],
  )
  expect(await staff.call(signOutMember, { id: ada.id })).toEqual({ ended: 2 })
  const trusted = await pool.query('SELECT FROM trusted_browsers WHERE user_id = $1', [ada.id])
  expect(trusted.rowCount).toBe(0)
  // no session is left, so nothing is mailed again
  expect(await staff.call(signOutMember, { id: ada.id })).toEqual({ ended: 0 })
  await expect(ada.call(getAccount, {})).rejects.toMatchObject({ status: 401 })
  const mails = await open.shop.database.pool.query('SELECT subject FROM mails WHERE recipient = $1', [ada.email])
  expect(mails.rows.filter(({ subject }) => subject === 'We signed you out everywhere')).toHaveLength(1)
  const [act] = await admin.call(listAudit, { q: ada.id })
  expect(act).toMatchObject({ act: 'account.signed_out', actor: staff.email, details: { sessions: '2' } })

  await expect(staff.call(signOutMember, { id: other.id })).rejects.toMatchObject({ code: 'staff_account' })
  await expect(staff.call(signOutMember, { id: staff.id })).rejects.toMatchObject({ code: 'own_account' })
  await expect(staff.call(signOutMember, { id: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
  await expect(admin.call(signOutMember, { id: other.id })).resolves.toEqual({ ended: 1 })
  await expect(open.shop.join().then((bo) => bo.call(signOutMember, { id: ada.id }))).rejects.toMatchObject({
    status: 403,
  })
})

test('lists members newest first in pages and filters sellers, suspended members or staff', async () => {
  const [ada, bo, cy, staff] = [
    await open.shop.join(),
    await open.shop.join(),
    await open.shop.join(),
    await joinStaff(),
  ]
  const { pool } = open.shop.database
  // two accounts with the same creation time
  await pool.query(`UPDATE users SET created_at = '2999-01-01' WHERE id = ANY ($1)`, [[ada.id, bo.id]])
  await pool.query(`UPDATE users SET created_at = '2998-01-01' WHERE id = $1`, [cy.id])
  const seen: string[] = []
  for (let path: string | undefined = '/api/admin/members?limit=1'; path && seen.length < 3;) {
    const response: Response = await fetch(open.shop.url + path, { headers: { cookie: staff.cookie } })
    seen.push(...((await response.json()) as FoundMember[]).map(({ id }) => id))
    path = /<(.+)>/.exec(response.headers.get('link') ?? '')?.[1]
  }
  expect(seen).toEqual([...[ada.id, bo.id].sort().reverse(), cy.id])

  const product = await addProduct(open.shop)
  const { rows } = await pool.query<{ id: string }>('SELECT seller_id AS id FROM products WHERE id = $1', [product.id])
  await staff.call(suspendSeller, { id: cy.id, reason: 'Stolen cards.', days: null })
  const idsOf = async (kind: 'sellers' | 'suspended' | 'staff') =>
    (await staff.call(findMembers, { kind, limit: 100 })).map(({ id }) => id)
  expect(await idsOf('sellers')).toContain(rows[0]!.id)
  expect(await idsOf('sellers')).not.toContain(cy.id)
  expect(await idsOf('suspended')).toEqual([cy.id])
  expect(await idsOf('staff')).toContain(staff.id)
  expect(await idsOf('staff')).not.toContain(cy.id)
})

test('suspends a member without a report, and lifts the suspension', async () => {
  const [ada, staff] = [await open.shop.join({ firstName: 'Ada' }), await joinStaff()]
  await buy(open.shop, ada, await addProduct(open.shop, { price: '12.50' }))
  const about = { name: 'Ada Person', email: ada.email, role: 'member', orders: 1, spent: '12.50' }
  expect(await staff.call(readMember, { id: ada.id })).toMatchObject({
    ...about,
    isSuspended: false,
    isOwn: false,
    handle: null,
    hasChat: false,
  })
  expect((await staff.call(readMember, { id: staff.id })).isOwn).toBe(true)

  await staff.call(suspendSeller, { id: ada.id, reason: 'Stolen cards.', days: 30 })
  const found = (await staff.call(findMembers, { q: ada.email }))[0]!
  expect(found).toMatchObject({ ...about, isSuspended: true })
  const { seller } = await staff.call(readMember, { id: ada.id })
  expect(seller.suspension).toMatchObject({ reason: 'Stolen cards.' })
  expect((await ada.call(getAccount, {})).suspension).toMatchObject({ reason: 'Stolen cards.' })

  await staff.call(liftSuspension, { id: ada.id })
  const other = await open.shop.join({ role: 'support' })
  await staff.call(suspendSeller, { id: other.id, reason: 'Stolen cards.', days: null })
  await expect(other.call(liftSuspension, { id: other.id })).rejects.toMatchObject({ code: 'own_account' })
  expect(await staff.call(readMember, { id: ada.id })).toMatchObject({
    isSuspended: false,
    seller: { suspension: null },
  })
  const admin = await open.shop.join({ isAdmin: true })
  const acts = await admin.call(listAudit, { q: ada.id })
  expect(acts.map(({ act }) => act)).toEqual(expect.arrayContaining(['seller.lifted', 'seller.suspended']))
  expect(JSON.stringify(acts)).toContain('Stolen cards.')
})

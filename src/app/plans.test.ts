import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { record } from '../../bench/record.ts'
import { buy } from '../../test/buy.ts'
import { addProduct } from '../../test/goods.ts'
import { openShopForTests } from '../../test/shop.ts'
import { sendChat } from '../support/chat/chat.contract.ts'
import { listConversations } from '../support/inbox/inbox.contract.ts'
import { addToCart } from '../cart/cart.contract.ts'
import { findUnsettledSellers } from '../catalogue/offSale.server.ts'
import { writeCursor } from '../catalogue/shelf/cursor.server.ts'
import { listCases } from '../moderation/moderation.contract.ts'
import { claimNewProducts } from '../selling/follows/follows.statements.server.ts'
import { countFailedMessages, replayFailedMessages } from '../notifications/hooks/hooks.contract.ts'
import { reportMessages, sendMessage } from '../selling/messages/messages.contract.ts'
import { accessOf, lineOf } from '../kit/handle.server.ts'

// No request may scan a large table. PostgreSQL prefers scans of a test's small tables, so plans are made with
// `enable_seqscan` off. A sequential scan that remains has no suitable index. Reading a whole index to filter by a
// subquery counts as one too.

const open = openShopForTests()

const LARGE =
  `audit cart_discounts cart_items chat_conversations chat_messages chat_settlements codes credit_entries delivery_events discount_uses discounts download_grants earning_returns earnings entitlements follows hook_messages ledger_entries objects
  licenses license_devices order_events order_lines orders payments payouts payout_details product_files products ratings refunds report_cases reports reviews risk_decisions risk_declines
  product_counts product_sum_days product_sums message_blocks message_threads thread_messages thread_reports sales_days saved_products search_forms search_words seller_events seller_handles storefronts sessions users accounts
  mails publications`.split(/\s+/)

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Subplan Name'?: string
  'Index Cond'?: string
  Filter?: string
  Plans?: Plan[]
}

const isScan = (plan: Plan) =>
  plan['Node Type'] === 'Seq Scan' ||
  (/^Index/.test(plan['Node Type']) && !plan['Index Cond'] && /hashed SubPlan/.test(plan.Filter ?? ''))

const scansOf = (plan: Plan): string[] => [
  ...(isScan(plan) && LARGE.includes(plan['Relation Name']!) ? [plan['Relation Name']!] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
]

/** All statements so far, for the test about several databases. */
const asked = new Map<string, unknown[]>()

/** Returns the plan of each statement that `work` sends, without `method` if PostgreSQL has an alternative. */
async function readPlans(method: 'enable_seqscan' | 'enable_sort', work: () => Promise<unknown>) {
  const sent = new Map((await record(work)).map((one) => [one.text, one.values]))
  for (const [text, values] of sent) asked.set(text, values)
  const client = new pg.Client({ connectionString: open.shop.databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`SET ${method} = off`)
  const found: { text: string; plan: Plan }[] = []
  for (const [text, values] of sent) {
    if (!/^\s*(select|with|insert|update|delete)\b/i.test(text) || /graphile_worker|sandbox\./.test(text)) continue
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`EXPLAIN (FORMAT JSON) ${text}`, values)
    found.push({ text, plan: rows[0]!['QUERY PLAN'][0]!.Plan })
  }
  return found
}

/** Lists each statement of `work` that scans a large table, with the table. */
const findScans = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await readPlans('enable_seqscan', work)).flatMap(({ text, plan }) =>
    scansOf(plan).map((table) => `${table}: ${text.slice(0, 1000)}`),
  )

const SHELVES = [
  '',
  '?sort=featured&categoryId=ebooks',
  ...['popular', 'newest', 'price-asc', 'price-desc', 'rating', 'title'].flatMap((sort) => [
    `?sort=${sort}`,
    `?sort=${sort}&categoryId=ebooks`,
  ]),
  '?price=5-10',
  '?stars=4',
  '?q=small%20bo',
  '?q=small%20bo&categoryId=ebooks&price=5-10&stars=4',
  '?q=small&sort=price-asc',
  '?kind=code',
  '?stock=any',
  ...['', '&sort=newest', '&sort=price-asc', '&sort=rating', '&sort=title', '&q=small'].map(
    (more) => `?seller=sally-p${more}`,
  ),
]

test('no request scans a large table', { timeout: 60_000 }, async () => {
  const { shop } = open
  const product = await addProduct(shop, { price: '8.00' })
  await addProduct(shop, { price: '9.00' })
  const buyer = await shop.join()
  const admin = await shop.join({ isAdmin: true })
  const get = (path: string, cookie = '') =>
    fetch(shop.url + path, { headers: { cookie } }).then((answer) => answer.text())
  let [orderId, lineId] = ['', '']
  const buying = await findScans(async () => {
    await buyer.call(addToCart, { productId: product.id, quantity: 1 })
    const order = await buy(shop, buyer, product)
    ;[orderId, lineId] = [order.id, order.lines[0]!.id]
    await buyer.call(sendMessage, { id: lineId, messageId: crypto.randomUUID(), text: 'Lorem' })
    await buyer.call(reportMessages, { id: lineId, note: 'Ipsum' })
  })
  const reading = await findScans(async () => {
    for (const shelf of SHELVES) await get(`/api/products${shelf}`)
    await get('/api/sellers/sally-p')
    await get('/api/sellers/sally-p/reviews')
    const first = await fetch(`${shop.url}/api/products?limit=1`)
    await get(/<(.+)>/.exec(first.headers.get('link')!)![1]!)
    for (const route of shop.routes) {
      const [method, path] = lineOf(route).split(' ') as [string, string]
      if (method !== 'GET' || /^\/(sandbox|dev|api\/log|api\/events)/.test(path)) continue
      const id = path.includes('orders') ? orderId : product.id
      const cookie = accessOf(route) === 'public' || accessOf(route) === 'member' ? buyer.cookie : admin.cookie
      await get(path.replaceAll(/:\w+/g, id), cookie)
    }
    await get(`/api/admin/orders?q=${orderId.slice(-8)}`, admin.cookie)
    for (const query of ['', '&state=paid', '&state=refunded', `&productId=${product.id}`])
      await get(`/api/account/sales?days=30${query}`, buyer.cookie)
    await get('/api/account/sales/summary?days=365', buyer.cookie)
    for (const query of ['sort=views', 'sort=sales', 'sort=newest', 'sort=sales&status=listed&q=book'])
      await get(`/api/account/products?${query}`, buyer.cookie)
    for (const page of ['/', '/categories', `/product/${product.id}`, '/seller/sally-p', '/cart', '/orders'])
      await get(page, buyer.cookie)
    await get(`/api/admin/orders?productId=${product.id}`, admin.cookie)
    await get('/api/admin/reports?state=mine', admin.cookie)
    for (const query of [`memberId=${buyer.id}`, `orderId=${orderId}`, 'show=reported'])
      await get(`/api/admin/messages?${query}`, admin.cookie)
    await get(`/api/messages/${lineId}`, buyer.cookie)
    const number = `q=${orderId.slice(-8)}`
    for (const query of ['q=ada', 'q=ada@example.com', number, 'kind=sellers', 'kind=suspended', 'kind=staff'])
      await get(`/api/admin/members?${query}`, admin.cookie)
    for (const status of ['held', 'waits-for-provider']) await get(`/api/admin/orders?status=${status}`, admin.cookie)
  })
  expect([...buying, ...reading]).toEqual([])
})

// A placement of the tables in several databases (decision 0084): tables of one person together by the person's id,
// small tables that everybody reads on every node, and tables of one node.
const OF_ONE_PERSON =
  `accounts cart_discounts cart_items chat_answers chat_conversations chat_messages chat_notes chat_presence chat_settlements chat_waits course_certificates
  credit_accounts credit_bonuses credit_entries delivery_events discount_uses disputes download_grants entitlements former_addresses gifts hook_attempts
  hook_endpoints hook_messages invoice_details invoices known_devices lesson_progress license_devices licenses mails method_choices order_events order_lines
  orders passkeys payments payout_details payouts preferences push_subscriptions reading_places recovery_codes refund_approvals refund_lines
  refund_requests refunds risk_decisions risk_declines risk_hints risk_holds saved_products second_factors sessions stock_waits
  supply_requests suspensions trusted_browsers upload_turns usdc_addresses verifications wallets code_cases earnings earning_returns sales_days
  seller_digests seller_events seller_wishes product_imports product_import_rows imported_products code_lists
  customer_notes dispute_facts dispute_files follows message_blocks message_threads review_requests thread_messages thread_reports
  unfinished_products`.split(/\s+/)
const ON_EVERY_NODE =
  `bundle_parts categories chat_lessons chat_replies course_parts discount_products discounts exchange_rates former_license_terms
  lesson_files license_terms license_tokens listed_products product_counts product_files product_pairs product_previews product_sum_days product_sums products publications ratings
  releases review_answers reviews risk_blocks risk_weights search_forms search_words seen_reviews seller_handles stock_limits store_rating storefront_designs storefront_links storefronts supplied_products users objects
  part_uploads report_cases reports`.split(/\s+/)
const ON_ONE_NODE =
  `audit backups codes error_days error_explanations error_groups error_occurrences error_people event_replays invoice_series job_workers ledger_breaches
  ledger_checks ledger_entries migrations model_days payout_batches payout_confirmations provider_fees reconciled_days restore_tests shared_limits usdc_cursors usdc_exceptions usdc_transfers
  webhook_events`.split(/\s+/)
/** Maximum number of statements that use tables of a member but do not select the member. */
const MAX_CROSSING = 52

test('limits the statements that would query several databases', async () => {
  const { rows } = await open.shop.database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  )
  const placed = [...OF_ONE_PERSON, ...ON_EVERY_NODE, ...ON_ONE_NODE]
  expect(rows.map(({ name }) => name).filter((name) => !placed.includes(name))).toEqual([])
  const { rows: people } = await open.shop.database.pool.query<{ id: string }>('SELECT id FROM users')
  const touched = new RegExp(`\\b(?:from|join|into|update)\\s+"?(?:${OF_ONE_PERSON.join('|')})\\b`, 'i')
  const ofPeople = [...asked].filter(([text]) => touched.test(text))
  const crossing = ofPeople.filter(([, values]) => !people.some(({ id }) => JSON.stringify(values).includes(id)))
  expect(ofPeople.length).toBeGreaterThan(100)
  const shown = crossing.map(([text]) => text.replaceAll(/\s+/g, ' ').slice(0, 160)).join('\n')
  expect(crossing.length, shown).toBeLessThanOrEqual(MAX_CROSSING)
})

test('detects a statement that scans a large table', async () => {
  const { pool } = open.shop.database
  expect(await findScans(() => pool.query('SELECT id FROM products WHERE description = $1', ['x']))).toEqual([
    'products: SELECT id FROM products WHERE description = $1',
  ])
  const either = `SELECT title FROM order_lines WHERE order_id = $1 OR order_id IN (SELECT id FROM orders WHERE user_id = $1 LIMIT 5)`
  expect(await findScans(() => pool.query(either, [crypto.randomUUID()]))).toEqual([`order_lines: ${either}`])
})

test('the job for products of suspended sellers scans no large table', async () => {
  expect(await findScans(() => findUnsettledSellers(open.shop.database.db, 100))).toEqual([])
})

test('the job that notifies followers scans no large table', async () => {
  const given = { days: 14, limit: 500, maxTitles: 10 }
  expect(await findScans(() => claimNewProducts(open.shop.database.db, given))).toEqual([])
})

test('counts and resends failed webhook events by an index of only these events', async () => {
  const ada = await open.shop.join()
  const plans = await readPlans('enable_seqscan', async () => {
    await ada.call(countFailedMessages, {})
    await ada.call(replayFailedMessages, {})
  })
  const reading = plans.filter(({ text }) => /FROM hook_messages\b/.test(text))
  expect(reading).toHaveLength(2)
  for (const { text, plan } of reading) expect(JSON.stringify(plan), text).toContain('"hook_messages_failed"')
})

test('reads each page of the inbox in the order of an index', async () => {
  const { shop } = open
  const [ada, admin] = [await shop.join(), await shop.join({ isAdmin: true })]
  await ada.call(sendChat, { message: 'Lorem' })
  const plans = await readPlans('enable_sort', async () => {
    await admin.call(listConversations, {})
    await admin.call(listConversations, { after: ada.id })
  })
  const pages = plans.filter(({ text }) => /FROM inbox_place\b.* LIMIT /s.test(text))
  expect(pages.length).toBeGreaterThanOrEqual(3)
  for (const { text, plan } of pages) {
    // Messages of the same moment are sorted by customer.
    const sorting = text.includes('last_at DESC') ? /"Node Type":"Sort"/ : /Sort"/
    expect(JSON.stringify(plan), text).not.toMatch(sorting)
  }
  expect(JSON.stringify(pages)).toContain('chat_conversations_waiting')
})

const findPlan = (plan: Plan, name: string): Plan | undefined =>
  plan['Subplan Name'] === name
    ? plan
    : plan.Plans?.map((part) => findPlan(part, name)).find((found) => found !== undefined)

const AFTER = writeCursor('cases', [1, Date.now() * 1000, crypto.randomUUID()])

test.each([
  { state: 'waiting' },
  { state: 'waiting', after: AFTER },
  { state: 'mine', after: AFTER },
  { state: 'closed', after: AFTER },
] as const)('reads a page of reports in the order of an index: %o', async (asked) => {
  const admin = await open.shop.join({ isAdmin: true })
  const plans = await readPlans('enable_sort', () => admin.call(listCases, asked))
  const page = plans.find(({ text }) => text.includes('hits AS MATERIALIZED') && text.includes('report_cases'))
  const hits = page && findPlan(page.plan, 'CTE hits')
  expect(JSON.stringify(hits)).toContain('report_cases_answered')
  expect(JSON.stringify(hits)).not.toMatch(/Sort"/)
})

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { epubOf } from './books.ts'
import { choose } from './goods.ts'
import { demoAccount, type DemoRole, enter, expect, fillCart, routeRead } from './shop.ts'

// Every page and dialog of the shop, for the tests that visit all of them. A new page or dialog needs an entry here.

export type Role = 'nobody' | 'shopper' | 'seller' | 'admin'
/** Ids for the paths, and the password for the proof of identity of staff. */
export type Things = { productId: string; orderId: string; passwordOfStaff: string }
/** Ids of the demo store for pictures: bought lines, and what its seller and staff open. */
export type PictureThings = Things &
  Record<'bookId' | 'pdfId' | 'soundId' | 'courseId' | 'ownId' | 'saleId' | 'memberId' | 'staffOrderId', string> & {
    seller: string
  }
type Step = (page: Page) => Promise<unknown>
/**
 * A picture in docs/screens/. It shows the demo store, so `before` and `open` of the screen do not apply to it. Its
 * own fields replace those of the screen.
 */
type Picture = {
  file: string
  as?: Role
  path?: string | ((things: PictureThings) => string)
  before?: Step
  open?: Step
}
export type Screen = {
  name: string
  as?: Role
  path: string | ((things: Things) => string)
  /** Replaces answers of the server to show a state that is hard to produce. */
  before?: Step
  /** Opens the dialog, panel or notice that the screen is about. */
  open?: Step
  /** The page fails to render and logs the error. */
  isBroken?: boolean
  picture?: Picture
  /** Needs goods that only the stage of the pictures has. Other tests run axe on it. */
  isOnlyPicture?: boolean
}

const answer =
  (path: string, json: unknown, status = 200) =>
  async (page: Page) =>
    routeRead(page, `**${path}`, (route) => route.fulfill({ json, status }))
const hang = (path: string) => async (page: Page) => routeRead(page, `**${path}`, () => undefined)
const press =
  (name: string | RegExp, role: 'button' | 'link' = 'button') =>
  async (page: Page) =>
    page.getByRole(role, { name }).first().click()
const openDialog = (name: RegExp | string) => async (page: Page) => {
  await press(name)(page)
  await expect(page.getByRole('dialog')).toBeVisible()
}

/** Opens a dialog from the menu of goods. */
const openFromMenu = (name: string, more: string) => async (page: Page) => {
  await choose(page, name, more)
  await expect(page.getByRole('dialog')).toBeVisible()
}

const REPORTED = { state: 'seller', answerBy: new Date().toISOString(), words: '' }
const REVEALED = ['K7QM-2XVD', 'T4HB-9WRC'].map((code, i) => ({
  ...{ id: crypto.randomUUID(), code, pin: i === 0 ? '0471' : '', serial: i === 0 ? 'S-2291' : '', isUsed: i === 1 },
  report: i === 1 ? REPORTED : null,
}))

/** Shows all goods as codes. */
const sellCodes = async (page: Page) => {
  await routeRead(page, '**/api/orders?limit=50', async (route) => {
    const response = await route.fetch()
    const orders = (await response.json()) as { lines: { delivery: unknown }[] }[]
    for (const line of orders.flatMap(({ lines }) => lines))
      line.delivery = { kind: 'code', count: 2, reports: [REPORTED] }
    await route.fulfill({ response, json: orders })
  })
  await page.route('**/lines/*/reveal', (route) => route.fulfill({ json: { codes: REVEALED } }))
}

/** Shows the goods as licence keys of two devices. */
const sellLicenses = async (page: Page) => {
  await routeRead(page, '**/api/orders?limit=50', async (route) => {
    const response = await route.fetch()
    const orders = (await response.json()) as { lines: { delivery: unknown }[] }[]
    const file = { fileName: 'grid-notes.zip', sizeBytes: 5_000_000 }
    for (const line of orders.flatMap(({ lines }) => lines)) line.delivery = { kind: 'license', devices: 2, file }
    await route.fulfill({ response, json: orders })
  })
  const seen = { activatedAt: WHEN, seenAt: WHEN, fileUntil: LATER }
  const name = 'A device with a very long name that is longer than a line of a phone'
  const devices = [
    { id: USER_ID, name, isRemoved: false, ...seen },
    { id: USER_ID.replace('0', '1'), name: '', isRemoved: true, ...seen },
  ]
  const license = {
    ...{ masked: MASKED, state: 'active', seats: 1, limit: 3, expiresAt: LATER, reason: null },
    devices,
  }
  await page.route('**/lines/*/license', (route) => route.fulfill({ json: license }))
}

/** Shows the newest order as waiting for its payment or for `hold`. */
const keepWaiting = async (page: Page, hold: object | null = null) =>
  routeRead(page, '**/api/orders?limit=50*', async (route) => {
    const response = await route.fetch({ url: route.request().url().replace('&status=pending', '') })
    const [first, ...others] = (await response.json()) as object[]
    await route.fulfill({ response, json: [{ ...first, status: 'pending', expiresAt: LATER, hold }, ...others] })
  })

/** Shows the newest order as held for review. */
const holdOrders = async (page: Page) =>
  keepWaiting(page, { kind: 'hold', why: ['amount', 'newAccount'], until: LATER, isClearedByConfirming: true })

const USER_ID = '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f'
const MASKED = 'GRIDNOTE-••••••••-••••••••-••••••••-••••7K2M'
const OTHER_ID = '0190b3c2-7f58-7cc3-98c4-dc0c0c073990'
const HOUR_MS = 3_600_000
const WHEN = new Date(Date.now() - 3 * HOUR_MS).toISOString()
const LATER = new Date(Date.now() + 21 * HOUR_MS).toISOString()
const HELD = {
  orderId: USER_ID,
  buyer: 'ada.with.a.very.long.name.that.does.not.end@a-long-domain-of-a-company.example.com',
  total: '2000.00',
  lines: [{ title: 'Corner Café Gift Card', quantity: 80 }],
  score: 75,
  reasons: [
    { rule: 'amount', points: 60 },
    { rule: 'newAccount', points: 15 },
  ],
  facts: { dayCents: 200_000, dayCashCents: 200_000, copies: 80, accountAgeHours: 1, visitorCountry: null },
  ...{ createdAt: WHEN, endsAt: LATER, state: 'open', resolvedHow: null, resolvedAt: null },
}
const LONG = 'A very long title of a thing that nobody can say in one breath '.repeat(3)
const FOUND = {
  ...{ id: USER_ID, buyer: HELD.buyer, total: '9999999.99', status: 'completed', createdAt: WHEN },
  ...{ sellers: [HELD.buyer, 'leo@shop.example'], paymentMethod: 'store credit' },
  ...{ refunded: '999999.99', waits: ['refund-requested', 'waits-for-provider'], titles: [LONG, 'Salt'], lineCount: 5 },
}
const BALANCE = {
  ...{ available: '-38.00', pending: '1140.40', pendingSales: 111, pendingUntil: LATER, paidOut: '1486.20' },
  ...{ disputed: '46.55', disputedSales: 1 },
  ...{ firstMonth: '2026-01', presentMonth: '2026-11', terms: { feePercent: '5.25', fixedFee: '0.30', holdDays: 7 } },
}
const MOVED = { day: '2026-11-12', title: null, orderId: null, count: 3 }
const STATEMENT = {
  ...{ month: '2026-11', opening: '12141.30', closing: '1102.40', isSummedUp: true },
  sums: {
    sale: '1254.00',
    discount: '-50.00',
    fee: '-65.00',
    refund: '-9.00',
    fee_returned: '0.90',
    payout_returned: '0.00',
    payout: '-12169.80',
  },
  movements: [
    { ...MOVED, kind: 'sale', title: LONG, amount: '1254.00', balance: '13395.30' },
    { ...MOVED, kind: 'discount', amount: '-50.00', balance: '13345.30' },
    { ...MOVED, kind: 'fee', amount: '-65.00', balance: '13280.30' },
    { ...MOVED, kind: 'refund', title: LONG, orderId: USER_ID, amount: '-9.00', balance: '13271.30' },
    { ...MOVED, kind: 'fee_returned', orderId: USER_ID, amount: '0.90', balance: '13272.20' },
    { ...MOVED, kind: 'payout', amount: '-12169.80', balance: '1102.40' },
  ],
}
const OVERVIEW = {
  hasSold: true,
  ...{ today: { sales: 1200, net: '-999999.99' }, disputed: { sales: 3, net: '46.55' } },
  ...{ incoming: { net: '1140.40', first: { at: LATER, net: '36.00' } }, from: '2026-11-09', to: '2026-11-22' },
  days: [
    { day: '2026-11-12', net: '58.00' },
    { day: '2026-11-22', net: '-4.00' },
  ],
  waiting: ['dispute', 'code_case', 'question', 'goods', 'review', 'message'].map((kind) => ({
    ...{ kind, id: USER_ID, title: LONG, at: WHEN },
    ...{
      until: kind === 'code_case' || kind === 'dispute' ? LATER : null,
      amount: kind === 'dispute' ? '46.55' : null,
    },
  })),
  waitingCount: 31,
  followers: 1204,
}
const OWN_PRODUCTS = ['incomplete', 'draft', 'withdrawn', 'listed'].map((status, i) => ({
  ...{ id: USER_ID.slice(0, -1) + i, title: LONG, description: LONG, price: '999999.99', categoryId: 'ebooks' },
  ...{
    imageUrl: null,
    isActive: status === 'listed',
    sellerName: 'Ada',
    createdAt: WHEN,
    status,
    sales: 1200,
    views: 98_000,
  },
  ...{ withdrawnAt: status === 'withdrawn' ? WHEN : null, stock: i === 0 ? null : i },
  delivery: i === 0 ? 'file' : 'code',
  rated: status === 'listed' ? { stars: 4.7, reviews: 31, samples: 3 } : null,
}))
/** Shows a product that its seller edits; `change` overrides its fields. */
const editedProduct = (change: object) => async (page: Page) => {
  await answer(`/api/account/products/${USER_ID}`, {
    ...{ ...OWN_PRODUCTS[1], rated: SELLER.rated },
    ...{ description: '## Four\n\n- **bold**\n- [a link](https://x.example/)', version: 3, updatedAt: WHEN },
    ...{ delivery: 'file', isSold: false, asked: { question: LONG, answerBy: LATER, answer: null } },
    files: [USER_ID, OTHER_ID].map((id) => ({
      ...{ id, name: `${'long'.repeat(40)}.pdf`, sizeBytes: 5_000_000, addedAt: WHEN, isChecked: true },
    })),
    ...{ variants: [], parts: [], bundles: [], variantOf: null },
    ...change,
  })(page)
  await answer('/api/account/products/*/reviews?*', REVIEWS)(page)
}
const VARIANTS = ['Solo', 'long'.repeat(15)].map((name, i) => ({
  ...{ id: i === 0 ? USER_ID : OTHER_ID, name, price: '999999.99', isActive: true, isOnSale: i === 0, stock: null },
  ...{ sales: 12_345, isKept: i === 0 },
}))
const PARTS = [USER_ID, OTHER_ID].map((id, i) => ({
  ...{
    id,
    title: i === 0 ? LONG : 'long'.repeat(30),
    price: '999999.99',
    categoryId: 'ebooks',
    imageUrl: null,
    kind: 'file',
  },
  isOnSale: i === 0,
}))

/** Shows the goods of orders with three files each, of which one has a newer version. */
const sellFiles = async (page: Page) => {
  await routeRead(page, '**/api/orders?limit=50', async (route) => {
    const response = await route.fetch()
    const orders = (await response.json()) as { lines: { delivery: object | null }[] }[]
    for (const line of orders.flatMap(({ lines }) => lines)) line.delivery &&= { ...line.delivery, moreFiles: 2 }
    await route.fulfill({ response, json: orders })
  })
  const file = { fileName: `${'long'.repeat(40)}.pdf`, sizeBytes: 5_000_000, sha256: 'ab'.repeat(32), newer: null }
  await answer('/api/library/*/files', [
    { ...file, id: USER_ID },
    { ...file, id: OTHER_ID, newer: { ...file, id: USER_ID, note: LONG, addedAt: WHEN } },
  ])(page)
}

/** Shows the first item of the library as closed by a dispute, and the second as codes. */
const closeOwned = async (page: Page) =>
  routeRead(page, '**/api/library?limit=50', async (route) => {
    const response = await route.fetch()
    const [first, second, ...others] = (await response.json()) as object[]
    const codes = { ...second, kind: 'code', quantity: 2, files: null, title: LONG }
    await route.fulfill({ response, json: [{ ...first, closedBy: 'dispute' }, codes, ...others] })
  })

const SALES = {
  ...{ from: '2025-11-23', to: '2026-11-22' },
  now: {
    revenue: '9999999.99',
    refunded: '99999.99',
    net: '-999999.99',
    orders: 1_234_567,
    sales: 1_300_000,
    views: 9_876_543,
  },
  before: { revenue: '8888888.88', refunded: '9.00', net: '8000000.00', orders: 1, sales: 1, views: 0 },
  days: Array.from({ length: 20 }, (_, i) => ({
    ...{ day: `2026-11-${String(i + 3).padStart(2, '0')}`, revenue: `${i * 7919}.50`, orders: i },
  })),
  products: OWN_PRODUCTS.map((product) => ({ product, revenue: '2500000.00', sales: 1200, views: 98_000 })),
  countries: ['DE', '', 'GB'].map((code) => ({ code, revenue: '3333333.33', orders: 411_522 })),
}
const SALE = {
  ...{
    id: USER_ID,
    number: '0c07398f',
    productId: USER_ID,
    title: LONG,
    quantity: 12,
    soldAt: WHEN,
    amount: '9999.99',
  },
  ...{ fee: '1000.30', refunded: '4000.00', net: '4999.69', state: 'part_refunded', country: 'DE' },
  ...{ availableAt: LATER, refundedFee: '400.00', buyerEmail: HELD.buyer },
  ...{ listPrice: '12000.00', discount: '2000.01', returnedCopies: 3, buyerName: LONG, kind: 'license', given: 2 },
  ...{ deliveredAt: WHEN, closedAt: null, isOwn: false, canGiveCopy: true },
  uses: ['download', 'reveal', 'activate'].map((kind) => ({
    kind,
    isGift: kind === 'activate',
    count: 1200,
    days: 30,
    firstAt: WHEN,
    lastAt: WHEN,
  })),
  license: {
    ...{ id: USER_ID, masked: MASKED, state: 'active', devicesPerSeat: 3, devices: { used: 2, limit: 27 } },
    expiresAt: LATER,
  },
}
const REFUNDABLE = {
  ...{ copies: 12, returned: 3, paid: '9999.99', returnedSum: '4000.00', fee: '1000.30', returnedFee: '400.00' },
  ...{ funds: '99999.99', approvalLeft: null, refusal: null, isOpened: true },
  refunds: (['requested', 'completed', 'failed'] as const).map((status) => ({
    ...{ id: status, status, copies: 3, total: '4000.00', at: WHEN },
  })),
}
const THREAD = {
  ...{ side: 'seller', name: LONG, title: LONG, isUnread: false, isReported: false, closed: null },
  messages: ['buyer', 'seller'].map((author, i) => ({
    ...{ id: USER_ID.slice(0, -1) + i, author, text: LONG.repeat(3), title: LONG, at: WHEN },
  })),
}
const STAFF_THREAD = {
  ...{
    id: USER_ID,
    buyer: { id: USER_ID, name: LONG },
    seller: { id: USER_ID, name: LONG },
    endedBy: ['buyer', 'staff'],
  },
  ...{ isOwn: false, messages: 200, openReports: 3 },
}
const STAFF_MESSAGES = {
  messages: [{ ...THREAD.messages[0], text: 'https://primo-verify.example' }],
  reports: [
    { id: USER_ID, by: 'buyer', note: LONG, at: WHEN, closedAt: null, messages: THREAD.messages },
    { id: USER_ID.slice(0, -1) + 1, by: 'seller', note: LONG, at: WHEN, closedAt: WHEN, messages: [] },
  ],
}
const showStaffMessages = async (page: Page) => {
  await answer('/api/admin/messages?*', [STAFF_THREAD])(page)
  await answer(`/api/admin/messages/${USER_ID}`, STAFF_MESSAGES)(page)
}
const DELIVERED = ['access', 'download', 'reveal'].map((kind) => ({ kind, title: LONG, at: WHEN }))
const FACT = { id: USER_ID, text: LONG.repeat(3), deliveries: DELIVERED, addedAt: WHEN }
const EVIDENCE_FILE = {
  ...{ id: USER_ID, shows: 'messages', fileName: `${'messages with the buyer '.repeat(6)}.pdf`, sizeBytes: 4_100_000 },
  ...{ by: LONG, addedAt: WHEN },
}
const SALE_DISPUTE = {
  ...{
    reason: 'UNAUTHORISED',
    state: 'needs_evidence',
    stage: 'claim',
    openedAt: WHEN,
    dueAt: LATER,
    isAnswered: false,
  },
  ...{ frozen: '9999999.99', ifLost: '999999.99', canAdd: true, facts: [FACT] },
  ...{ canAttach: true, files: [EVIDENCE_FILE], free: { kinds: ['use', 'other'], bytes: 500_000 } },
  deliveries: DELIVERED.map((one, i) => ({ ...one, key: `use:${i}` })),
}
const showMessages = (thread: object = THREAD) => answer(`/api/messages/${USER_ID}`, thread)
const showDisputedSale = (dispute: object) => async (page: Page) => {
  await showMessages()(page)
  await answer(`/api/account/sales/${USER_ID}`, { ...SALE, state: 'disputed' })(page)
  await answer(`/api/selling/sales/${USER_ID}/dispute`, dispute)(page)
}
const UNFINISHED = [0, 1].map((i) => ({
  ...{ id: USER_ID.slice(0, -1) + i, updatedAt: WHEN },
  entered: {
    ...{ title: i ? '' : LONG, description: '', price: 'four', categoryId: '', delivery: i ? null : 'course' },
    ...{ image: null, file: null, more: i ? [] : [{ url: '/objects/1', name: LONG, sizeBytes: 1 }] },
  },
}))
const showSale = async (page: Page) => {
  await showMessages()(page)
  await answer(`/api/account/sales/${USER_ID}`, SALE)(page)
  await answer(`/api/selling/sales/${USER_ID}/refund-offer`, REFUNDABLE)(page)
}
const CUSTOMERS = [0, 1].map((i) => ({
  ...{ id: USER_ID.slice(0, -1) + i, name: i ? 'A buyer' : LONG, email: i ? null : HELD.buyer, hasNote: i === 0 },
  ...{ sales: 1200, net: '-999999.99', firstAt: WHEN, lastAt: WHEN, title: LONG },
}))
const showSales = async (page: Page) => {
  await answer('/api/account/sales/summary?*', SALES)(page)
  await answer('/api/account/sales?*', [SALE, { ...SALE, id: `${USER_ID.slice(0, -1)}0`, state: 'paid' }])(page)
}
const SELLER = {
  ...{
    id: USER_ID,
    handle: 'ada-o',
    name: 'Ada O.',
    bio: LONG,
    avatarUrl: null,
    since: WHEN,
    products: 1,
    design: null,
    canFollow: true,
  },
  rated: { stars: 4.7, reviews: 31, samples: 3 },
}
const DESIGN = {
  ...{ header: { url: '/images/none/640.webp', color: '#2740b5' }, headerColor: '#ffe066', accentColor: '#8a1c4a' },
  sections: ['reviews', 'featured', 'about', 'products'],
  featured: { ...OWN_PRODUCTS[3], isActive: true },
  links: [LONG.slice(0, 40), 'Blog', 'Films', 'Podcast', 'Shop'].map((label) => ({
    label,
    url: 'https://example.com',
  })),
}
const REVIEWS = ['Bruno P.', 'Ada O.', 'Cy Q.'].map((author, i) => ({
  ...{
    id: `${USER_ID.slice(0, -1)}${i}`,
    author,
    stars: 5 - i,
    text: LONG,
    createdAt: WHEN,
    editedAt: i ? LATER : null,
  },
  ...{ isSample: i === 1, product: { id: USER_ID, title: LONG } },
  answer: i === 1 ? { text: LONG, createdAt: WHEN, editedAt: LATER } : null,
  hiddenAnswer: i === 2 ? { text: LONG, why: LONG } : null,
}))
const FOLLOWED = [
  { id: USER_ID, name: 'Ada O.', handle: 'ada-o', since: WHEN },
  { id: OTHER_ID, name: LONG, handle: null, since: WHEN },
]
const NEW_PRODUCTS = [1, 3].map((count) => ({
  ...{ sellerId: `${USER_ID.slice(0, -1)}${count}`, seller: LONG, handle: 'ada-o', count, publishedAt: WHEN },
  product: { id: USER_ID, title: LONG, categoryId: 'ebooks', imageUrl: null },
}))
const REVIEW_REQUESTS = [0, 1].map((i) => ({
  ...{ productId: `${USER_ID.slice(0, -1)}${i}`, title: LONG, categoryId: 'ebooks', imageUrl: null, askedAt: WHEN },
}))
const IMPORT = {
  ...{ id: USER_ID, fileName: `${'long'.repeat(40)}.csv`, format: 'shopify', state: 'preview', made: 0 },
  ...{ columnsLeft: ['Vendor', 'Image Src'], ready: 950, known: 30, bad: 20, noted: 3 },
}
const IMPORT_ROW = {
  ...{ number: 12, title: LONG, price: null, suggested: null, categoryId: null, note: null },
  problem: 'Price: Price is required',
}
const HOOKS = (['active', 'failing', 'disabled'] as const).map((state) => ({
  ...{ id: `${USER_ID}${state}`, url: `https://desk.example/${'primo'.repeat(30)}`, events: ['review.created'] },
  ...{ isForShop: state === 'active', state, createdAt: WHEN, lastSuccessAt: null, failingSince: WHEN },
}))
const DISCOUNTS = (['active', 'planned', 'paused', 'used_up', 'ended'] as const).map((state, i) => ({
  ...{
    id: `${USER_ID.slice(0, -1)}${i}`,
    code: `${state.replace('_', '').toUpperCase()}2026CODE99`.slice(0, 20),
    state,
    version: 1,
  },
  ...{ percent: i % 2 ? null : 20, amount: i % 2 ? '999999.99' : null, uses: 1200, mostUses: i ? 1200 : null },
  ...{ products: i ? [{ id: USER_ID, title: LONG }] : null, isFirstOnly: i > 1, mostPerBuyer: i || null },
  ...{ startsAt: WHEN, endsAt: LATER, revenue: '9999999.99', isUsed: i > 2, linkProductId: USER_ID },
}))
const USES = [0, 1, 2].map((i) => ({
  ...{ number: `0c07398${i}`, usedAt: WHEN, paid: '9999999.99' },
  sale: i === 0 ? null : { id: USER_ID, buyerName: LONG, isOwn: i === 2 },
}))
const OUTLINE = ['section', 'lesson', 'lesson', 'section', 'lesson'].map((kind, i) => ({
  ...{ id: USER_ID.slice(0, -1) + i, isSection: kind === 'section', title: i === 1 ? LONG : `Part ${i}` },
  ...{ opensOn: null, opensAfterDays: i === 2 ? 7 : null, isPreview: i === 1 },
  ...{ types: i === 2 ? ['video/mp4', 'text/plain'] : [], minutes: i === 1 ? 12 : 0, seconds: i === 4 ? null : 0 },
}))
const OWN_COURSE = {
  ...{ productId: USER_ID, title: LONG, seller: 'Ada O.', categoryId: 'courses', imageUrl: null },
  parts: OUTLINE.map(({ id, isSection, title }, i) => ({
    ...{ id, isSection, title, look: i === 2 ? 'video' : 'text', minutes: 12, opensAt: i === 2 ? LATER : null },
    isDone: false,
  })),
}
const OWN_LESSON = {
  ...{ id: USER_ID, isSection: false, title: LONG, text: '- Flour\n- Water\n\nWeigh it **twice**.', version: 1 },
  ...{ opensOn: null, opensAfterDays: null, isPreview: false },
  files: ['video/mp4', 'text/plain'].map((contentType, i) => ({
    ...{ id: USER_ID.slice(0, -1) + i, fileName: `${'long'.repeat(40)}.mp4`, contentType, sizeBytes: 5_000_000 },
    ...{ chapters: '', seconds: null },
  })),
}
const showOwnCourse = async (page: Page) => {
  await answer(`/api/products/${USER_ID}/course/learner`, OWN_COURSE)(page)
  await answer(`/api/products/${USER_ID}/course/parts/*`, OWN_LESSON)(page)
}
const GIFT = {
  ...{ quantity: 3, toName: 'Noor'.repeat(20), toEmail: HELD.buyer, note: LONG, madeAt: WHEN },
  ...{ sendAt: LATER, sentAt: null, claimedAt: null },
}
const GIFTS = {
  ...{ most: 2, whyNot: null, canKeep: true },
  gifts: (['open', 'claimed', 'taken_back', 'ended'] as const).map((state, i) => ({
    ...{ ...GIFT, id: `${USER_ID.slice(0, -1)}${i}`, state, claimedAt: state === 'claimed' ? WHEN : null },
  })),
}
const SHOWN_GIFT = {
  ...{
    state: 'open',
    productId: USER_ID,
    title: LONG,
    categoryId: 'ebooks',
    imageUrl: null,
    kind: 'file',
    quantity: 1,
  },
  ...{ from: 'Ada O.', toName: 'Noor', note: LONG, isOwn: false, orderId: null },
}
const GIFT_PATH = `/gift/${'x'.repeat(32)}`
const giftIs = (change: object) => async (page: Page) =>
  page.route('**/api/gifts/look', (route) => route.fulfill({ json: { ...SHOWN_GIFT, ...change } }))
/** Shows the gifts of every line of an order. */
const showGifts = async (page: Page) => {
  await answer('/api/orders/*/lines/*/gifts', GIFTS)(page)
}
const CODE_STOCK = {
  ...{ counts: { free: 2500, held: 50, sold: 6000, void: 400, expired: 100 }, lowAt: 5, returnable: 2, next: null },
  codes: (['free', 'sold', 'void'] as const).map((state, i) => ({
    ...{ id: `${USER_ID.slice(0, -1)}${i}`, mask: '•••• 7QX2', hasPin: i === 0, hasSerial: false, state },
    ...{ addedAt: WHEN, expiresAt: i === 0 ? LATER : null, canReturn: state === 'void' },
  })),
}
const CODE_CASES = {
  cases: (['staff', 'seller'] as const).map((state, i) => ({
    ...{ id: `${USER_ID.slice(0, -1)}${i}`, productId: USER_ID, title: LONG, orderId: USER_ID, state },
    ...{ reason: 'invalid', note: LONG, sellerWords: LONG, words: '', openedAt: WHEN, answerBy: LATER },
    ...{
      mask: '•••• 7QX2',
      decidedAt: null,
      canReplace: i === 1,
      isRefundFailed: i === 0,
      counts: { buyer: 3, seller: 1 },
      saleId: USER_ID,
      isGift: i === 1,
      reveals: { count: 1200, firstAt: WHEN, lastAt: LATER },
    },
  })),
  hasMore: true,
}
const HOOK_MESSAGE = {
  ...{ id: USER_ID, hookId: USER_ID, type: 'order.completed', state: 'waiting', createdAt: WHEN, nextAt: LATER },
  body: `{"type":"order.completed","data":"${'x'.repeat(300)}"}`,
  attempts: [
    { at: WHEN, status: 500, milliseconds: 184, answer: LONG },
    { at: LATER, status: null, milliseconds: 10_000, answer: 'No answer in 10 s.' },
  ],
}
const CASE = {
  ...{ id: USER_ID, productId: USER_ID, title: LONG, categoryId: 'software', imageUrl: null, isReview: false },
  ...{ reason: 'harmful', reports: 3, lastAt: WHEN, decision: null, isAnswered: false },
  ...{ takenBy: HELD.buyer, answerBy: WHEN },
}
const CASE_FILE = {
  ...CASE,
  ...{ price: '12.00', sold: 96, rated: { stars: 4.2, reviews: 40 }, isListed: true, review: null, isWaiting: true },
  said: [
    { reason: 'harmful', note: LONG, at: WHEN, isBuyer: true },
    { reason: 'rights', note: '', at: LATER, isBuyer: false },
  ],
  ...{ why: null, decidedAt: null, decidedBy: null, question: LONG, answer: null, isOwn: false, takenBy: null },
  seller: {
    ...{ id: USER_ID, name: 'Nils A.', email: HELD.buyer, since: WHEN, listed: 3, takeDowns: 1, suspension: null },
  },
}
const HIDDEN_FILE = {
  ...{ ...CASE_FILE, isReview: true, isListed: false, review: { author: 'Ada O.', stars: 1, text: LONG } },
  ...{ decision: 'taken_down', why: LONG, decidedAt: WHEN, decidedBy: HELD.buyer, answer: LONG, takenBy: HELD.buyer },
  seller: { ...CASE_FILE.seller, suspension: { reason: LONG, at: WHEN, endsAt: null } },
}
const ORDER_FILE = {
  ...{ id: USER_ID, status: 'completed', total: '14.50', credit: '4.00', paymentMethod: 'paypal', createdAt: WHEN },
  buyer: { id: USER_ID, name: 'Ada Okafor', email: HELD.buyer, joinedAt: WHEN, orders: 12 },
  lines: [
    {
      ...{ id: USER_ID, productId: USER_ID, title: LONG, quantity: 2, returned: 1, price: '7.25', seller: HELD.buyer },
      ...{ delivery: 'code', deliveredAt: WHEN, closedAt: null, uses: [{ kind: 'reveal', at: WHEN }] },
    },
  ],
  discounts: [{ code: 'QUIETWEEKQUIETWEEK20', amount: '2.50' }],
  events: [{ status: 'pending', code: 'placed', at: WHEN }],
  payments: [
    {
      ...{ id: USER_ID, provider: 'paypal', mode: 'live', status: 'part_refunded', amount: '10.50', declines: 1 },
      ...{ providerOrderId: '8AC96375JJ9087234', captureId: '2GG279541U471931P', lastError: 'INSTRUMENT_DECLINED' },
      ...{ createdAt: WHEN, changedAt: WHEN },
    },
  ],
  refunds: (['requested', 'completed', 'failed'] as const).map((status) => ({
    ...{ id: status, status, amount: '1.50', reason: LONG, askedBy: HELD.buyer, refusal: 'CAPTURE_DISPUTED' },
    ...{ providerRefundId: '1JU08902781691411', createdAt: WHEN, changedAt: WHEN, credit: '4.00' },
    ...{
      isByBuyer: status === 'completed',
      isBySeller: status === 'failed',
      lines: [{ title: LONG, copies: 2 }],
      canSettle: status === 'requested',
    },
    ...{ approvedBy: HELD.buyer, bouncedAt: status === 'completed' ? WHEN : null },
    ...{ reclaimed: '0.00', canReclaim: status === 'completed' },
  })),
  disputes: [{ id: USER_ID, state: 'needs_evidence', amount: '10.50', openedAt: WHEN }],
  requests: [
    { lineId: USER_ID, title: LONG, reason: 'damaged', note: LONG, state: 'open', answer: null, at: WHEN },
    { lineId: 'x', title: LONG, reason: 'other', note: '', state: 'declined', answer: LONG, at: WHEN },
  ],
  bonus: { earned: '1.50', takenBack: '0.20' },
  risk: {
    decision: 'hold',
    score: 75,
    reasons: HELD.reasons,
    at: WHEN,
    hold: { state: 'open', resolvedHow: null, endsAt: WHEN },
  },
  mails: [{ subject: 'Your order is ready', at: WHEN, sentAt: null, isRefused: true }],
  offer: {
    ...{ paid: '10.50', left: '7.50', credit: '4.00', bonus: '1.50', to: 'paypal' },
    ...{ isSandbox: false, isUnused: false, isErased: false, codesSeenAt: WHEN, approvalAbove: '500.00' },
    isDisputed: false,
    lines: [{ id: USER_ID, title: LONG, copies: 3, returned: 1, paid: '14.50', left: '9.00' }],
  },
}
const DISPUTE = {
  ...{ id: USER_ID, orderId: USER_ID, provider: 'paypal', state: 'needs_evidence', amount: '9999999.99' },
  ...{ reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED', buyer: HELD.buyer, openedAt: WHEN, dueAt: WHEN },
  ...{ endedAt: null, sentAt: null, missingSince: null, stage: 'claim', lost: null },
}
const DISPUTE_CASE = {
  ...{ ...DISPUTE, disputeRef: 'PP-D-27803', held: '10.50', note: null, sender: null, refusal: LONG, canSubmit: true },
  ...{ canSettle: false, canReply: false },
  evidence: {
    ...{ buyerName: LONG, buyerEmail: HELD.buyer, ip: null, country: 'CA', boughtAt: WHEN, productDescription: LONG },
    ...{ deliveryLog: [LONG, LONG], refundPolicy: LONG },
  },
  facts: [{ ...FACT, seller: LONG }],
  files: [EVIDENCE_FILE],
}
const PAUSE = {
  id: USER_ID,
  ...{ kind: 'account', subject: 'ada@example.com', reason: '4 different instruments were declined within 7 days' },
  ...{ madeBy: null, createdAt: WHEN, expiresAt: LATER },
}
const customer = { userId: USER_ID, name: 'Ada Okafor', email: 'ada@example.com', joinedAt: WHEN }
const message = (id: string, text: string, from: 'isFromUser' | 'isFromAdmin') => ({
  id,
  message: text,
  isFromUser: from === 'isFromUser',
  isFromAdmin: from === 'isFromAdmin',
  staffName: from === 'isFromAdmin' ? 'Lena' : null,
  articles: [],
  products: [],
  orders: [],
  isUnsure: false,
  offersPerson: false,
  isStopped: false,
  isByMail: false,
  rating: null,
  createdAt: WHEN,
})

const bot = (id: string, given: object) => ({
  ...message(id, 'Lorem ipsum', 'isFromUser'),
  ...{ isFromUser: false, articles: [], products: [], orders: [] },
  ...given,
})
const CARD = {
  ...{ id: USER_ID, title: 'Bread by Weight', price: '14.50', suggested: null, most: '19.50' },
  ...{ categoryId: 'ebooks', category: 'E-Books' },
}
/** A short conversation, for a picture. */
const ADVICE = [
  message('1', 'I bake on Sundays. Do you have something for me?', 'isFromUser'),
  bot('2', {
    message: 'This book fits. It opens here as soon as you have paid.',
    products: [{ ...CARD, imageUrl: null }],
  }),
  message('3', 'Can I read it on the train, without internet?', 'isFromUser'),
  bot('4', {
    message: 'Yes. Open it once, choose “Keep on this device”, and it opens without a connection.',
    articles: [{ slug: 'downloads', title: 'Download a file' }],
    rating: 1,
  }),
]
const TALK = [
  { ...message('1', 'Something for a baker', 'isFromUser'), isByMail: true },
  bot('2', { products: [{ ...CARD, imageUrl: null }], rating: 1 }),
  bot('3', {
    orders: [{ id: USER_ID, status: 'completed', total: '63.50', createdAt: WHEN, items: 4, opens: 'code' }],
  }),
  bot('4', { isUnsure: true, offersPerson: true, isStopped: true, articles: [{ slug: 'codes', title: 'Codes' }] }),
]
const ACCOUNT_WITHOUT_PASSWORD = {
  ...{ lastLoginAt: WHEN, hasPassword: false, wantsNews: false, wantsVersions: true, isMailRefused: false },
  ...{ keptAt: null, pausedUntil: null, suspension: null },
}

/** Opens the proof of identity of an account without a password. */
const askMailedCode = async (page: Page) => {
  await answer('/api/account/step-up', { ways: ['mail'] })(page)
  await answer('/api/account/passkeys/options', { message: 'Please', code: 'step_up_required' }, 403)(page)
  await openDialog('Passkeys')(page)
  await press('Add a passkey')(page)
  await expect(page.getByRole('button', { name: 'Email me a code' })).toBeVisible()
}

const CHAT_STATUS = {
  ...{ isOnline: true, hasAssistant: true, text: 'Online', newestId: null, hasReply: false },
  ...{ answering: { questionId: USER_ID, state: 'failed' }, isWithPerson: false, isPersonHere: false },
  ...{ personText: 'A person answers within a day', asksScore: true },
}
const talk = async (page: Page) => {
  await answer('/api/chat', TALK.slice(0, 3))(page)
  await answer('/api/chat/status', { ...CHAT_STATUS, answering: null, asksScore: false })(page)
  const meanings = ['Where is my code?', 'How do I get a refund for the gift card I revealed?']
  await answer('/api/chat/meanings', { meanings })(page)
}
const openTalk = async (page: Page) => {
  await press('AI Assistant')(page)
  await expect(page.getByRole('group', { name: 'Next steps' })).toBeVisible()
}
const reviewedAnswer = {
  ...{
    questionId: USER_ID,
    userId: USER_ID,
    question: 'Lorem ipsum?',
    answer: 'I am not sure.',
    intent: 'unsure',
    lesson: 'Lorem?',
  },
  ...{ confidence: 0.38, tools: ['help'], sources: ['/help/refunds'], model: 'small-1', dropped: 1, tookMs: 40 },
  ...{ cost: '0.002000', rating: -1, reason: 'Not what I asked', at: WHEN },
}
const inboxState = { isForPerson: true, assignee: null, snoozedUntil: null, tags: ['refund'] }

/** Shows a conversation that has waited too long. */
const conversation = async (page: Page) => {
  const one = {
    lastAt: WHEN,
    lastMessage: 'Ipsum',
    lastIsFromUser: true,
    unread: 2,
    waitingSince: WHEN,
    isLate: true,
    ...inboxState,
  }
  const inbox = { conversations: [{ ...customer, ...one }], waiting: 1, waitingSince: WHEN, after: USER_ID }
  await answer('/api/admin/chat', inbox)(page)
  const latest = ['completed', 'refunded'].map((status, i) => ({
    ...{ id: USER_ID.slice(0, -1) + i, status, total: '104.95', createdAt: WHEN },
  }))
  const about = { orders: 4, spent: '63.50', credit: '1.50', risk: 5, latest }
  await answer(`/api/admin/chat/${USER_ID}/about`, about)(page)
  await answer(`/api/admin/chat/${USER_ID}`, {
    customer,
    waitingSince: WHEN,
    ...inboxState,
    assignee: { id: USER_ID, name: 'Bo Second' },
    isMine: false,
    score: null,
    messages: [message('1', 'Lorem', 'isFromUser'), message('2', 'Dolor', 'isFromAdmin')],
  })(page)
  await answer(`/api/admin/chat/${USER_ID}/read`, { unread: 0 })(page)
}

const credit = {
  balance: '1.50',
  debt: '0.00',
  bonus: {
    percent: 15,
    cap: '15.00',
    excluded: ['Gift Cards', 'Crypto'],
    excludedIds: [],
    cash: ['Crypto'],
    needsVerifiedEmail: true,
  },
  entries: [
    { id: '2', kind: 'given', amount: '2.00', orderId: null, why: 'Lorem ipsum dolor sit amet', at: WHEN },
    { id: '1', kind: 'taken_back', amount: '-0.50', orderId: USER_ID, why: null, at: WHEN },
  ],
}

/** Shows a reopened error of browsers with one occurrence. */
const errorGroup = async (page: Page) => {
  const group = {
    id: USER_ID,
    type: 'javascript',
    severity: 'critical',
    message: `Payment ${'x'.repeat(300)}`,
    place: 'src/cart/useCart.ts:44',
    status: 'open',
    fixedIn: null,
    isReopened: true,
    firstSeenAt: WHEN,
    lastSeenAt: WHEN,
    firstRelease: '0.1.0',
    lastRelease: '0.1.0+1a2b3c4',
    times: 1200,
    people: 30,
    days: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
  }
  const occurrence = {
    id: USER_ID,
    seenAt: WHEN,
    release: '0.1.0',
    route: '/orders/:id',
    message: group.message,
    stack: 'loadCart (src/cart/useCart.ts:44:10)',
    componentStack: 'at OrdersPage',
    userAgent: 'Mozilla/5.0',
    autoFixed: true,
  }
  await answer('/api/admin/errors?*', { counts: { open: 1, muted: 0, fixed: 0 }, groups: [group] })(page)
  await answer('/api/admin/errors/*/occurrences', [occurrence])(page)
  const text = `What happened: <b>nothing</b> but ${'x'.repeat(200)}.\n\nWhat to try: ${'Look twice. '.repeat(40)}`
  const explanation = { text, model: 'small-1', release: '0.1.0', askedAt: WHEN }
  const known = { kind: 'Missing value', text: 'The code read a value that was not there.' }
  await answer('/api/admin/errors/*/explanation', { model: 'small-1', explanation, known })(page)
}
const openError = async (page: Page) => {
  await page.locator('main li summary').click()
  await expect(page.getByText('Last occurrences')).toBeVisible()
  await expect(page.getByText('Machine-made')).toBeVisible()
}

// screens with the same path and the same answers share a visit
/** A purchase with two files, of which the reader opens the first. */
const readingOf = (file: object) => ({
  ...{ orderId: USER_ID, productId: USER_ID, title: LONG, seller: LONG, categoryId: 'ebooks', imageUrl: null },
  files: [
    { id: USER_ID, sizeBytes: 5_000_000, chapters: '', place: null, share: 0, ...file },
    ...[{ id: OTHER_ID, fileName: `${'long'.repeat(20)}.zip`, contentType: 'application/zip', sizeBytes: 1 }].map(
      (other) => ({ ...other, chapters: '', place: null, share: 0.5 }),
    ),
  ],
})
const readBook = async (page: Page) => {
  const file = { fileName: 'story.epub', contentType: 'application/epub+zip' }
  await answer(`/api/read/${USER_ID}`, readingOf(file))(page)
  await answer('/api/read/*/files/*', { url: '/downloads/story', expiresAt: LATER })(page)
  await answer('/api/read/*/files/*/place', { place: '0/0', share: 0 })(page)
  const body = epubOf(`<h1>One</h1><p>${'A long paragraph. '.repeat(60)}</p>`)
  await routeRead(page, '**/downloads/story', (route) => route.fulfill({ body }))
}
const hearSound = answer(
  `/api/read/${USER_ID}`,
  readingOf({
    ...{ fileName: 'rain.mp3', contentType: 'audio/mpeg', place: '42.0', share: 0.1 },
    chapters: `0:00 ${'First drops '.repeat(12)}\n5:00 Steady`,
  }),
)
const product = ({ productId }: Things) => `/product/${productId}`
const order = ({ orderId }: Things) => `/orders/${orderId}`
const ownProducts = answer('/api/account/products?*', OWN_PRODUCTS)
const BACK = '/checkout/return?provider=stripe&ref=cs_test_of_somebody_else'
const savedMethods = async (page: Page) =>
  routeRead(page, '**/api/payments/methods', async (route) => {
    const response = await route.fetch()
    const { methods } = (await response.json()) as { methods: object[] }
    const saved = { id: USER_ID, method: 'paypal', label: LONG, keptSince: WHEN }
    const other = { ...saved, id: crypto.randomUUID(), method: 'stripe', label: 'Visa ending in 4242' }
    const choice = { method: 'paypal', walletId: USER_ID }
    await route.fulfill({ response, json: { methods, saved: [saved, other], choice } })
  })
const ownCredit = answer('/api/credit', credit)
const MEMBER = {
  ...{ id: USER_ID, name: LONG, email: HELD.buyer, role: 'support', since: WHEN, isSuspended: true },
  ...{ orders: 12_000, spent: '9999999.99' },
}
const MEMBER_FILE = {
  ...{ ...MEMBER, isVerified: false, isOwn: false, handle: 'nils-a', hasChat: true, seller: CASE_FILE.seller },
  ...{ sold: { sales: 1234, amount: '9999999.99', refunded: '1.00' }, disputes: 1, sessions: 3 },
  purchases: [{ id: USER_ID, total: '9999999.99', status: 'completed', at: WHEN, titles: [LONG], lineCount: 3 }],
  sales: [
    { id: USER_ID, orderId: USER_ID, title: LONG, amount: '9999999.99', returned: '1.00', isDisputed: true, at: WHEN },
  ],
  messages: [{ id: USER_ID, author: 'user', text: 'x'.repeat(300), at: WHEN }],
  cases: [
    { kind: 'dispute', id: USER_ID, state: 'needs_evidence', at: WHEN, about: null },
    { kind: 'suspension', id: USER_ID, state: 'lifted', at: WHEN, about: 'x'.repeat(300) },
  ],
}
const memberFile = (change: object) => async (page: Page) => {
  await showStaffMessages(page)
  await answer(`/api/admin/members/${USER_ID}`, { ...MEMBER_FILE, ...change })(page)
  const note = { id: USER_ID, note: 'x'.repeat(300), author: LONG, createdAt: WHEN }
  await answer(`/api/admin/chat/${USER_ID}/notes`, [note])(page)
}
const orderFile = answer(`/api/admin/orders/${USER_ID}`, ORDER_FILE)
const reports = async (page: Page) => {
  await answer('/api/admin/reports?*', [CASE])(page)
  await answer(`/api/admin/reports/${USER_ID}`, CASE_FILE)(page)
}
const risk = async (page: Page) => {
  await answer('/api/admin/risk/cases?*', [HELD])(page)
  await answer('/api/admin/risk/blocks', [PAUSE])(page)
}

const QUEUED = [
  {
    ...{ hold: null, isOwn: false, to: 'account ending 4410', reason: null },
    first: { act: 'approved', by: HELD.buyer, isOwn: false },
  },
  { hold: 'details_new', isOwn: false, to: null, reason: null },
  { hold: null, isOwn: true, to: 'PayPal account ad…@mail.example', reason: 'Unknown account number' },
].map((payout, i) => ({
  ...{ id: `0190b3c2-7f58-7cc3-98c4-dc0c0c07398${i}`, seller: HELD.buyer, amount: '9999999.99', state: 'requested' },
  ...{ method: 'bank', batchId: null, createdAt: WHEN, dueAt: i === 0 ? WHEN : LATER, endedAt: null, first: null },
  about: {
    ...{ isFirst: i === 0, since: WHEN, sales: 12_000, sold: '9999999.99', refunded: '99999.99', disputed: i },
    last: Array.from({ length: i }, () => ({ amount: '9999999.99', state: 'returned', at: WHEN })),
  },
  ...payout,
}))
const BATCHES = (['approved', 'refused', 'over'] as const).map((state, i) => ({
  ...{ id: `0190b3c2-7f58-7cc3-98c4-dc0c0c07398${i}`, method: i === 0 ? 'bank' : 'paypal', state, payouts: 1000 },
  ...{ amount: '141000.00', approvedBy: HELD.buyer, createdAt: WHEN, problem: state === 'refused' ? LONG : null },
}))

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const TX = `0x${'7c1e'.repeat(16)}`
const EXCEPTION = {
  ...{
    id: USER_ID,
    kind: 'late',
    amount: '1000000.00',
    state: 'open',
    refundAddress: null,
    waitsUntil: null,
    txHash: null,
  },
  resolution: null,
}
/** A payment in USDC; `change` overrides its fields. */
const TRANSFER = (change: object) => ({
  ...{ orderId: USER_ID, state: 'waiting', network: 'Arbitrum Sepolia (test)', isTest: true, token: WALLET },
  ...{ address: WALLET, amount: '9999999.99', received: '0.00', rest: '9999999.99' },
  uri: `ethereum:${WALLET}@421614/transfer?address=${WALLET}&uint256=9999999990000`,
  ...{ confirmations: 0, confirmationsNeeded: 12, expiresAt: '2999-01-01T00:00:00.000Z' },
  ...{ transactions: [], exceptions: [] },
  ...change,
})
const payBy = (change: object) => ({
  path: `/pay/${USER_ID}`,
  before: answer(`/api/payments/transfers/${USER_ID}`, TRANSFER(change)),
})
const SEEN = [{ hash: TX, amount: '9999999.99', isConfirmed: false }]
const TRANSFERS = {
  exceptions: (['underpaid', 'overpaid', 'late', 'reorganised', 'refund'] as const).map((kind, i) => ({
    ...EXCEPTION,
    ...{ id: `0190b3c2-7f58-7cc3-98c4-dc0c0c07398${i}`, kind, orderId: USER_ID, buyer: LONG, due: '9999999.99' },
    ...{ received: '1000000.00', address: WALLET, network: 'Base', refundAddress: i % 2 === 0 ? WALLET : null },
    ...{ problem: i === 0 ? 'This transaction sends no USDC to the buyer’s address.' : null, createdAt: WHEN },
    ...{ doneAt: null, isOwn: false },
  })),
  trouble: { why: 'one.example and two.example differ about block 1234567', since: WHEN },
}

const screens: Screen[] = [
  { name: 'landing', as: 'nobody', path: '/', picture: { file: 'landing' } },
  {
    name: 'landing, chat notice',
    as: 'nobody',
    path: '/',
    open: async (page) => {
      await press('AI Assistant')(page)
      await page.getByPlaceholder('Type your message...').fill('Hello')
      await press('Send')(page)
      await expect(page.getByText('Please sign in')).toBeVisible()
    },
  },
  { name: 'shared product', as: 'nobody', path: product },
  { name: 'help for visitors', as: 'nobody', path: '/help' },
  { name: 'help article for visitors', as: 'nobody', path: '/help/downloads' },
  { name: 'terms', as: 'nobody', path: '/terms' },
  { name: 'sign in', as: 'nobody', path: '/api/login' },
  { name: 'sign up', as: 'nobody', path: '/api/login/sign-up', picture: { file: 'sign-up' } },
  { name: 'sign in by email', as: 'nobody', path: '/api/login/link' },
  { name: 'forgotten password', as: 'nobody', path: '/api/login/forgot' },
  { name: 'reset link, expired', as: 'nobody', path: '/api/login/reset' },
  { name: 'home', path: '/', picture: { file: 'home' } },
  { name: 'home, nothing to sell', path: '/', before: answer('/api/products?limit=3', []) },
  { name: 'home, loading', path: '/', before: hang('/api/products?limit=3') },
  {
    name: 'add product',
    path: '/',
    open: openDialog('Add Product'),
    picture: { file: 'add-product', as: 'seller', open: openDialog('Add Product') },
  },
  {
    name: 'add product, codes',
    path: '/',
    open: async (page) => {
      await openDialog('Add Product')(page)
      await page.getByRole('dialog').getByRole('radio', { name: 'Codes' }).check({ force: true })
      await expect(page.getByText('You add the codes on the next page.')).toBeVisible()
    },
  },
  {
    name: 'add product, many files',
    path: '/my-products',
    before: answer('/api/account/unfinished-products', [
      {
        ...UNFINISHED[0],
        updatedAt: new Date().toISOString(),
        entered: {
          ...UNFINISHED[0]!.entered,
          delivery: 'file',
          more: [1, 2, 3].map((i) => ({ url: `/objects/${i}`, name: LONG, sizeBytes: 12_345 })),
        },
      },
    ]),
    open: async (page) => {
      await openDialog(/^Continue/)(page)
      await page.getByRole('dialog').getByRole('radio', { name: '3 drafts' }).check({ force: true })
    },
  },
  {
    name: 'add product, mistakes',
    path: '/',
    open: async (page) => {
      await openDialog('Add Product')(page)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^create/i })
        .click()
      await expect(page.getByText('Title is required')).toBeVisible()
    },
  },
  {
    name: 'uploader',
    path: '/',
    open: async (page) => {
      await openDialog('Add Product')(page)
      await page.getByRole('dialog').getByRole('button', { name: /image/i }).click()
      await expect(page.locator('.uppy-Dashboard-inner')).toBeVisible()
    },
  },
  { name: 'categories', path: '/categories', picture: { file: 'shop' } },
  {
    name: 'categories, filtered by kind',
    path: '/categories?kind=bundle&stock=any',
    picture: { file: 'shop-filtered', path: '/categories?price=0-5&stars=4' },
  },
  { name: 'categories, nothing found', path: '/categories?q=zzzzqqqq', picture: { file: 'shop-empty' } },
  { name: 'categories, failed', path: '/categories', before: answer('/api/products?limit=200', {}, 404) },
  { name: 'product', path: product, picture: { file: 'product-book' } },
  {
    name: 'product, report',
    path: product,
    open: async (page) => {
      await openDialog('Report this product')(page)
      await page.getByRole('button', { name: 'Send report' }).click()
    },
  },
  {
    name: 'product, taken down',
    path: product,
    before: async (page) => {
      await page.route(/\/api\/products\/[0-9a-f-]{36}$/, async (route) => {
        const response = await route.fetch()
        const down = { isMine: true, isActive: false, isTakenDown: true, unlistedReason: LONG }
        await route.fulfill({ response, json: { ...((await response.json()) as object), ...down } })
      })
      await answer('/take-down', { why: LONG, at: WHEN, answer: LONG })(page)
    },
    open: async (page) => expect(page.getByLabel('Your answer')).toBeVisible(),
  },
  {
    name: 'product, sold out',
    path: product,
    before: async (page) => {
      await page.route(/\/api\/products\/[0-9a-f-]{36}$/, async (route) => {
        const response = await route.fetch()
        const out = { isActive: false, isOutOfStock: true }
        await route.fulfill({ response, json: { ...((await response.json()) as object), ...out } })
      })
      await answer('/wait', { isWaiting: false })(page)
    },
    open: async (page) => expect(page.getByRole('button', { name: 'Tell me when it’s back' })).toBeEnabled(),
  },
  {
    name: 'product with variants',
    path: '/product/8218dacd-8a73-87b3-9d33-a7f767e0b929',
    open: async (page) => page.getByRole('button', { name: /sold out/ }).click(),
    picture: { file: 'product-card' },
  },
  {
    name: 'product, a sample of a book',
    path: '/product/50e34e3c-7091-897a-b8a7-d36e944b07a1',
    open: async (page) => {
      await page.getByRole('button', { name: /^Read a sample/ }).click()
      await expect(page.getByRole('dialog').getByRole('article')).toBeVisible()
    },
  },
  {
    name: 'product, a course',
    path: '/product/0724ffd4-6c46-8ff8-bb4c-6ef561aea5b4',
    open: async (page) => expect(page.getByText('Opens 1 day after you buy')).toBeVisible(),
  },
  {
    name: 'product, a bundle',
    path: '/product/794d1024-309b-86db-ab26-9af0fb8c8790',
    open: async (page) => expect(page.getByText('You save')).toBeVisible(),
  },
  { name: 'product, free', path: '/product/e75f4027-364a-8f1a-8e15-38904cb40ef4' },
  { name: 'product, buyers choose the price', path: '/product/a6c6b1b7-cce3-8d87-8e84-bf5bfa9e926e' },
  { name: 'product, missing', path: '/product/0190b3c2-7f58-7cc3-98c4-dc0c0c07398f' },
  {
    name: 'product, loading',
    path: product,
    before: hang('/api/products/*'),
  },
  {
    name: 'product, failed',
    path: product,
    before: answer('/api/products/*', {}, 409),
  },
  { name: 'cart', path: '/cart', picture: { file: 'cart' } },
  { name: 'cart, a part in store credit', path: '/cart', before: ownCredit },
  {
    name: 'cart, empty while an order waits',
    path: '/cart',
    before: async (page) => {
      await keepWaiting(page)
      await answer('/api/cart', [])(page)
    },
    open: async (page) => expect(page.getByText('You have an order waiting for payment')).toBeVisible(),
  },
  {
    name: 'cart, much at once',
    path: '/cart',
    before: async (page) =>
      routeRead(page, '**/api/cart', async (route) => {
        const response = await route.fetch()
        const lines = (await response.json()) as object[]
        await route.fulfill({ response, json: lines.map((line) => ({ ...line, quantity: 20 })) })
      }),
    open: openDialog('Quick Buy'),
  },
  {
    name: 'cart, codes',
    path: '/cart',
    before: async (page) =>
      routeRead(page, '**/api/cart', async (route) => {
        const response = await route.fetch()
        const lines = (await response.json()) as object[]
        const code = { id: USER_ID, code: 'QUIETWEEKQUIETWEEK20', percent: 20, amount: null }
        const discount = { ...code, problem: 'not_first' }
        await route.fulfill({ response, json: lines.map((line, i) => ({ ...line, discount: i ? code : discount })) })
      }),
    open: async (page) => {
      await press('Change discount codes')(page)
      await page.getByRole('textbox', { name: 'Discount code' }).fill('NEVERMADE')
      await press('Apply')(page)
      await expect(page.getByText('This code doesn’t fit anything here.')).toBeVisible()
    },
  },
  {
    name: 'cart, another price',
    path: '/cart',
    before: async (page) =>
      routeRead(page, '**/api/cart', async (route) => {
        const response = await route.fetch()
        const lines = (await response.json()) as { product: object }[]
        const chosen = { price: '5.00', suggested: '5.00', least: '3.00' }
        const json = lines.map((line) => ({ ...line, product: { ...line.product, ...chosen } }))
        await route.fulfill({ response, json })
      }),
    open: openDialog(/^Change the price of/),
  },
  { name: 'cart, loading', path: '/cart', before: hang('/api/cart') },
  { name: 'cart, failed', path: '/cart', before: answer('/api/cart', {}, 404) },
  { name: 'orders', path: '/orders' },
  { name: 'orders, empty', path: '/orders', before: answer('/api/orders?limit=50', []) },
  { name: 'orders, loading', path: '/orders', before: hang('/api/orders?limit=50') },
  { name: 'order', path: order, picture: { file: 'order' } },
  { name: 'order, menu', path: order, open: press(/^More for/) },
  { name: 'order, receipt', path: order, open: press('Receipt') },
  {
    name: 'order, messages',
    path: order,
    before: async (page) => {
      const seller = { lineId: USER_ID, name: LONG, titles: [LONG], messages: 2, isUnread: true }
      await answer('/api/orders/*/sellers', [seller])(page)
      await showMessages({ ...THREAD, side: 'buyer' })(page)
    },
    open: (page) => expect(page.getByRole('button', { name: 'Send' })).toBeVisible(),
  },
  {
    name: 'refund request',
    path: order,
    open: openFromMenu('Ask for a refund', 'More for all'),
  },
  { name: 'order, unknown', path: `/orders/${USER_ID}` },
  {
    name: 'code of an order',
    path: order,
    before: sellCodes,
    open: async (page) => {
      await openDialog(/^Show code/)(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click()
      await choose(page, 'QR code', 'More for this code')
      await expect(page.getByRole('img', { name: 'The code as a QR code' })).toBeVisible()
    },
  },
  {
    name: 'report of a bad code',
    path: order,
    before: sellCodes,
    open: async (page) => {
      await openDialog(/^Show code/)(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click()
      await choose(page, 'Report a bad code', 'More for this code')
      await press('Send report')(page)
      await expect(page.getByText('Choose what is wrong.')).toBeVisible()
    },
  },
  {
    name: 'give as a gift',
    path: order,
    before: async (page) => answer('/api/orders/*/lines/*/gifts', { ...GIFTS, gifts: [], canKeep: false })(page),
    open: async (page) => {
      await openFromMenu('Give a copy', 'More for Salt and Time')(page)
      await press('On a day')(page)
      await press('Make the gift')(page)
      await expect(page.getByText('Choose a day that is to come.')).toBeVisible()
    },
  },
  {
    name: 'gifts of a line',
    path: order,
    before: showGifts,
    open: async (page) => {
      await openFromMenu('Give a copy', 'More for Salt and Time')(page)
      await expect(page.getByRole('list', { name: 'Gifts' })).toBeVisible()
    },
  },
  { name: 'a gift', path: GIFT_PATH, before: giftIs({}) },
  { name: 'a gift, claimed by someone', path: GIFT_PATH, before: giftIs({ state: 'claimed' }) },
  { name: 'a gift, one’s own', path: GIFT_PATH, before: giftIs({ isOwn: true, orderId: USER_ID }) },
  { name: 'a gift, unknown', path: GIFT_PATH },
  { name: 'bad codes, none', path: '/bad-codes' },
  { name: 'bad codes', path: '/bad-codes', before: answer('/api/selling/code-cases?*', CODE_CASES) },
  {
    name: 'answer to a bad code',
    path: '/bad-codes',
    before: answer('/api/selling/code-cases?*', CODE_CASES),
    open: openDialog('Return the money'),
  },
  {
    name: 'bad codes of staff',
    as: 'admin',
    path: '/admin/code-cases',
    before: answer('/api/admin/code-cases?*', CODE_CASES),
  },
  {
    name: 'licence of an order',
    path: order,
    before: sellLicenses,
    open: async (page) => {
      await openDialog(/^Show key/)(page)
      await press('Add a device without internet')(page)
      await expect(page.getByLabel('Device code')).toBeVisible()
    },
  },
  {
    name: 'files of an order',
    path: order,
    before: sellFiles,
    open: openFromMenu('All 3 files', 'More for Salt and Time'),
  },
  { name: 'profile', path: '/profile', before: ownCredit },
  { name: 'payment methods, none saved', path: '/profile/payments' },
  { name: 'payment methods', path: '/profile/payments', before: savedMethods },
  { name: 'payment methods, failed', path: '/profile/payments', before: answer('/api/payments/methods', {}, 404) },
  { name: 'return from a payment page', path: BACK, before: hang('/api/payments/return') },
  { name: 'return from a payment page, unknown', path: BACK },
  {
    name: 'another way to pay',
    path: '/orders',
    before: (page) => keepWaiting(page),
    open: openDialog('Pay another way'),
  },
  { name: 'wishlist', path: '/wishlist' },
  { name: 'library', path: '/library', picture: { file: 'library' } },
  {
    name: 'library, asked for reviews',
    path: '/library',
    before: answer('/api/account/review-requests', REVIEW_REQUESTS),
    open: async (page) => expect(page.getByRole('heading', { name: 'How do you like it?' })).toBeVisible(),
  },
  {
    name: 'library, new from followed sellers',
    path: '/library',
    before: answer('/api/follows/new-products', NEW_PRODUCTS),
    open: async (page) => expect(page.getByRole('heading', { name: 'New from sellers you follow' })).toBeVisible(),
  },
  { name: 'library, a thing of it', path: '/library', open: openDialog(/^More for/) },
  { name: 'library, nothing found', path: '/library?q=no+such+thing' },
  { name: 'library, a thing is closed', path: '/library', before: closeOwned },
  { name: 'library, loading', path: '/library', before: hang('/api/library?limit=50') },
  { name: 'library, failed', path: '/library', before: answer('/api/library?limit=50', {}, 404) },
  {
    name: 'reader, a book',
    path: `/read/${USER_ID}`,
    before: readBook,
    open: async (page) => expect(page.locator('.reader__text')).toBeVisible(),
  },
  { name: 'reader, text and paper', path: `/read/${USER_ID}`, before: readBook, open: openDialog('Text and paper') },
  {
    name: 'reader, a sound',
    path: `/read/${USER_ID}`,
    before: hearSound,
    open: async (page) => expect(page.getByRole('button', { name: /^Resume/ })).toBeVisible(),
  },
  {
    name: 'own products',
    path: '/my-products',
    before: ownProducts,
    picture: { file: 'selling-products', as: 'seller' },
  },
  {
    name: 'own products of a suspended seller',
    path: '/my-products',
    before: async (page) => {
      await ownProducts(page)
      await answer('/api/account', {
        ...{ lastLoginAt: WHEN, hasPassword: true, wantsNews: false, wantsVersions: true, isMailRefused: false },
        ...{
          wantsMessages: true,
          wantsReviewRequests: true,
          wantsReviewMails: false,
          keptAt: null,
          pausedUntil: null,
          suspension: { reason: LONG, endsAt: LATER },
        },
      })(page)
    },
  },
  { name: 'balance, no sales yet', path: '/balance' },
  {
    name: 'balance below zero',
    path: '/balance',
    before: async (page) => {
      await answer('/api/account/balance', BALANCE)(page)
      await answer('/api/account/balance/statement', STATEMENT)(page)
    },
    open: async (page) => expect(page.getByText('Your balance is $38.00 below zero')).toBeVisible(),
    picture: { file: 'money', as: 'seller' },
  },
  { name: 'selling, nothing yet', path: '/selling' },
  {
    name: 'selling',
    path: '/selling',
    before: answer('/api/selling/overview', OVERVIEW),
    picture: { file: 'selling', as: 'seller' },
  },
  { name: 'selling, loading', path: '/selling', before: hang('/api/selling/overview') },
  { name: 'selling, failed', path: '/selling', before: answer('/api/selling/overview', {}, 409) },
  { name: 'selling, more', path: '/selling/more' },
  { name: 'customers, none yet', path: '/selling/customers' },
  {
    name: 'customers',
    path: '/selling/customers',
    before: answer('/api/selling/customers?*', CUSTOMERS),
    picture: { file: 'customers', as: 'seller' },
  },
  { name: 'customers, nothing found', path: '/selling/customers?q=zzzz' },
  { name: 'customers, loading', path: '/selling/customers', before: hang('/api/selling/customers?*') },
  { name: 'customers, failed', path: '/selling/customers', before: answer('/api/selling/customers?*', {}, 409) },
  {
    name: 'a customer',
    path: `/selling/customers/${USER_ID}`,
    before: async (page) => {
      await showMessages({ ...THREAD, closed: 'own' })(page)
      await answer(`/api/selling/customers/${USER_ID}`, {
        ...CUSTOMERS[0],
        note: LONG,
        noteVersion: 1,
        bought: [SALE],
      })(page)
    },
  },
  { name: 'a customer, unknown', path: `/selling/customers/${USER_ID}` },
  { name: 'sales, none yet', path: '/orders?tab=sales' },
  { name: 'sales, loading', path: '/orders?tab=sales', before: hang('/api/account/sales/summary?*') },
  { name: 'sales, failed', path: '/orders?tab=sales', before: answer('/api/account/sales/summary?*', {}, 409) },
  {
    name: 'sales',
    path: `/orders?tab=sales&days=365&product=${USER_ID}`,
    before: showSales,
    open: async (page) => page.getByText('Every day as a table').click(),
    picture: { file: 'sales', as: 'seller', path: '/orders?tab=sales&days=90' },
  },
  {
    name: 'a sale',
    path: `/sales/${USER_ID}`,
    before: showSale,
    picture: { file: 'sale', as: 'seller', path: ({ saleId }) => `/sales/${saleId}` },
  },
  { name: 'a disputed sale', path: `/sales/${USER_ID}`, before: showDisputedSale(SALE_DISPUTE) },
  {
    name: 'a disputed sale, answered',
    path: `/sales/${USER_ID}`,
    before: showDisputedSale({ ...SALE_DISPUTE, isAnswered: true, canAdd: false, canAttach: false, deliveries: [] }),
  },
  {
    name: 'a disputed sale, all facts and files added',
    path: `/sales/${USER_ID}`,
    before: showDisputedSale({ ...SALE_DISPUTE, canAdd: false, free: { kinds: [], bytes: 500_000 } }),
    open: async (page) => {
      await expect(page.getByText('You have added 10 facts, which is the maximum.')).toBeVisible()
      await expect(page.getByText('This dispute has a file of each kind.')).toBeVisible()
    },
  },
  {
    name: 'a sale, report messages',
    path: `/sales/${USER_ID}`,
    before: showSale,
    open: openFromMenu('Report to us', `More for the messages with ${LONG}`),
  },
  { name: 'a sale, refund', path: `/sales/${USER_ID}`, before: showSale, open: openDialog('Refund') },
  { name: 'a sale, extend its key', path: `/sales/${USER_ID}`, before: showSale, open: openDialog('Extend') },
  {
    name: 'a sale, give a copy',
    path: `/sales/${USER_ID}`,
    before: answer(`/api/account/sales/${USER_ID}`, { ...SALE, kind: 'file', license: null }),
    open: openDialog('Give a copy'),
  },
  { name: 'a sale, unknown', path: `/sales/${USER_ID}` },
  { name: 'webhooks, none yet', path: '/webhooks', open: openDialog('Add an address') },
  {
    name: 'webhooks',
    path: '/webhooks',
    before: async (page) => {
      await answer('/api/account/webhooks', HOOKS)(page)
      await answer('/api/account/webhook-messages', [HOOK_MESSAGE])(page)
    },
    open: async (page) => page.getByText('order.completed', { exact: true }).click(),
  },
  {
    name: 'webhooks, all failed to resend',
    path: '/webhooks',
    before: async (page) => {
      await answer('/api/account/webhooks', HOOKS)(page)
      await answer('/api/account/webhook-messages', [{ ...HOOK_MESSAGE, state: 'failed', nextAt: null }])(page)
      await answer('/api/account/webhook-messages/failed', { count: 1340 })(page)
    },
    open: openDialog(/^Resend all failed/),
  },
  {
    name: 'webhooks, an address to remove',
    path: '/webhooks',
    before: async (page) => {
      await answer('/api/account/webhooks', HOOKS.slice(0, 1))(page)
      await answer('/api/account/webhook-messages', [HOOK_MESSAGE])(page)
    },
    open: openDialog(/^Remove /),
  },
  {
    name: 'payment in USDC',
    ...payBy({}),
    picture: {
      file: 'payment',
      before: payBy({ amount: '28.50', rest: '28.50', isTest: false, network: 'Base' }).before,
    },
  },
  { name: 'payment in USDC, a part', ...payBy({ state: 'partial', received: '9.99', rest: '9999990.00' }) },
  {
    name: 'payment in USDC, seen',
    ...payBy({ state: 'seen', received: '9999999.99', rest: '0.00', confirmations: 3, transactions: SEEN }),
  },
  {
    name: 'payment in USDC, late',
    ...payBy({ state: 'expired', received: '1000000.00', transactions: SEEN, exceptions: [EXCEPTION] }),
    open: async (page) => {
      await answer('/api/payments/transfers/*/refund-address', { message: 'This is no address.' }, 409)(page)
      await press('Save the address')(page)
      await expect(page.getByLabel('Where shall we send it?')).toHaveAttribute('aria-invalid', 'true')
    },
  },
  { name: 'payment in USDC, unknown', path: `/pay/${USER_ID}` },
  { name: 'discounts, none yet', path: '/discounts', before: answer('/api/account/discounts?*', []) },
  {
    name: 'discounts',
    path: '/discounts',
    before: answer('/api/account/discounts?*', DISCOUNTS),
    open: async (page) => expect(page.getByText('Used up')).toBeVisible(),
  },
  {
    name: 'edit a discount code',
    path: '/discounts',
    before: async (page) => {
      await answer('/api/account/discounts?*', DISCOUNTS)(page)
      await answer('/api/account/products?*', OWN_PRODUCTS)(page)
      await answer('/api/selling/discounts/*/uses?*', USES)(page)
    },
    open: async (page) => {
      await openDialog(/^Edit PLANNED/)(page)
      await page.getByLabel('Code', { exact: true }).fill('x')
      await press('Save code')(page)
      await expect(page.getByText('Enter 4 to 20 letters and digits.')).toBeVisible()
    },
  },
  {
    name: 'edit a discount code, uses failed',
    path: '/discounts',
    before: async (page) => {
      await answer('/api/account/discounts?*', DISCOUNTS)(page)
      await answer('/api/account/products?*', OWN_PRODUCTS)(page)
      await answer('/api/selling/discounts/*/uses?*', {}, 409)(page)
    },
    open: async (page) => {
      await openDialog(/^Edit PLANNED/)(page)
      await expect(page.getByText('Couldn’t load who used it')).toBeVisible()
    },
  },
  {
    name: 'edit a discount code that nobody used',
    path: '/discounts',
    before: async (page) => {
      await answer('/api/account/discounts?*', DISCOUNTS)(page)
      await answer('/api/account/products?*', OWN_PRODUCTS)(page)
      await answer('/api/selling/discounts/*/uses?*', [])(page)
    },
    open: async (page) => {
      await openDialog(/^Edit PLANNED/)(page)
      await expect(page.getByText('No paid or waiting order uses it.')).toBeVisible()
    },
  },
  {
    name: 'delete a discount code',
    path: '/discounts',
    before: answer('/api/account/discounts?*', DISCOUNTS),
    open: openDialog(/^Delete PLANNED/),
  },
  {
    name: 'own products, one chosen',
    path: '/my-products',
    before: ownProducts,
    open: async (page) => {
      await page
        .getByRole('checkbox', { name: /^Select A very long/ })
        .first()
        .check()
      await expect(page.getByText('1 selected')).toBeVisible()
    },
  },
  { name: 'a new draft', path: '/my-products/new' },
  {
    name: 'an edited product',
    path: `/my-products/${USER_ID}`,
    before: editedProduct({}),
    open: async (page) => expect(page.getByText('Ada O.')).toBeVisible(),
    picture: { file: 'edit-product', as: 'seller', path: ({ ownId }) => `/my-products/${ownId}` },
  },
  {
    name: 'an edited product with variants',
    path: `/my-products/${USER_ID}`,
    before: editedProduct({ variants: VARIANTS }),
    open: async (page) => {
      await press('Add a variant')(page)
      await press('Save variants')(page)
      await expect(page.getByText('Give it a name')).toBeVisible()
    },
  },
  {
    name: 'the goods of a variant',
    path: `/my-products/${USER_ID}`,
    before: editedProduct({ variantOf: { id: OTHER_ID, title: LONG, name: 'long'.repeat(15) } }),
    open: async (page) => expect(page.getByText('Edit names and prices of all variants')).toBeVisible(),
  },
  {
    name: 'an edited bundle',
    path: `/my-products/${USER_ID}`,
    before: async (page) => {
      await editedProduct({ delivery: 'bundle', parts: PARTS })(page)
      await answer('/api/account/parts', PARTS)(page)
    },
    open: async (page) => {
      await page
        .getByRole('button', { name: /^Take .* out$/ })
        .first()
        .click()
      await expect(page.getByText('Choose 2 products at least.')).toBeVisible()
    },
  },
  {
    name: 'an edited course, a section is folded',
    path: `/my-products/${USER_ID}`,
    before: async (page) => {
      await editedProduct({ delivery: 'course', files: [] })(page)
      await answer('/api/products/*/course', OUTLINE)(page)
    },
    open: async (page) => {
      await page.getByRole('button', { name: /^Part 3/ }).click()
      await expect(page.getByRole('button', { name: 'Edit Part 4' })).toHaveCount(0)
    },
  },
  {
    name: 'codes of a product',
    path: `/my-products/${USER_ID}`,
    before: async (page) => {
      await editedProduct({ delivery: 'code', files: [] })(page)
      await answer('/api/products/*/codes', CODE_STOCK)(page)
    },
    open: async (page) => expect(page.getByRole('img', { name: /^9,050 codes/ })).toBeVisible(),
  },
  {
    name: 'own course as a learner',
    path: `/learn/${USER_ID}?own=yes`,
    before: showOwnCourse,
    open: async (page) => expect(page.getByText('Weigh it twice.')).toBeVisible(),
  },
  {
    name: 'own course as a learner, a later lesson',
    path: `/learn/${USER_ID}?own=yes&lesson=${USER_ID.slice(0, -1)}2`,
    before: showOwnCourse,
    open: async (page) => expect(page.getByText('Until then, learners see only its title.')).toBeVisible(),
  },
  { name: 'own course as a learner, unknown', path: `/learn/${USER_ID}?own=yes` },
  {
    name: 'own course as a learner, failed',
    path: `/learn/${USER_ID}?own=yes`,
    before: answer(`/api/products/${USER_ID}/course/learner`, {}, 409),
  },
  {
    name: 'a file of a product',
    path: `/my-products/${USER_ID}`,
    before: editedProduct({}),
    open: openDialog(/^Options of long/),
  },
  {
    name: 'seller page',
    path: '/seller/ada-o',
    before: async (page) => {
      await answer('/api/sellers/ada-o', SELLER)(page)
      await answer('/api/products?seller=*', OWN_PRODUCTS.slice(3))(page)
      await answer('/api/sellers/ada-o/reviews?*', REVIEWS)(page)
    },
    open: async (page) => expect(page.getByText('Bruno P.')).toBeVisible(),
    picture: { file: 'seller-page', path: ({ seller }) => `/seller/${seller}` },
  },
  { name: 'seller page, unknown', path: '/seller/nobody-has-this' },
  {
    name: 'seller page, follows failed',
    path: '/seller/ada-o',
    before: async (page) => {
      await answer('/api/follows', {}, 409)(page)
      await answer('/api/sellers/ada-o', SELLER)(page)
      await answer('/api/products?seller=*', OWN_PRODUCTS.slice(3))(page)
      await answer('/api/sellers/ada-o/reviews?*', REVIEWS)(page)
    },
    open: async (page) => expect(page.getByText('Couldn’t load whether you follow Ada O.')).toBeVisible(),
  },
  {
    name: 'seller page, followed',
    path: '/seller/ada-o',
    before: async (page) => {
      await answer('/api/follows', FOLLOWED)(page)
      await answer('/api/sellers/ada-o', { ...SELLER, design: DESIGN })(page)
      await answer('/api/products?seller=*', OWN_PRODUCTS.slice(3))(page)
      await answer('/api/sellers/ada-o/reviews?*', REVIEWS)(page)
    },
    open: async (page) => expect(page.getByRole('button', { name: 'Following' })).toBeVisible(),
  },
  {
    name: 'seller page, designed',
    path: '/seller/ada-o',
    before: async (page) => {
      await answer('/api/sellers/ada-o', { ...SELLER, design: DESIGN })(page)
      await answer('/api/products?seller=*', OWN_PRODUCTS.slice(3))(page)
      await answer('/api/sellers/ada-o/reviews?*', REVIEWS)(page)
    },
    open: async (page) => expect(page.getByText('Bruno P.')).toBeVisible(),
  },
  {
    name: 'seller page, edited',
    path: '/selling/page',
    before: async (page) => {
      await answer('/api/account/products?*', OWN_PRODUCTS)(page)
      await answer('/api/sellers/ada-o', { ...SELLER, design: DESIGN })(page)
      await answer('/api/account/storefront', {
        ...{ handle: 'ada-o', bio: LONG, isOpen: true, design: DESIGN, featuredId: DESIGN.featured.id },
      })(page)
    },
    open: async (page) => expect(page.getByRole('heading', { name: 'Preview' })).toBeVisible(),
  },
  { name: 'seller page, edited for the first time', path: '/selling/page' },
  { name: 'seller page, editor loading', path: '/selling/page', before: hang('/api/account/storefront') },
  { name: 'seller page, editor failed', path: '/selling/page', before: answer('/api/account/storefront', {}, 409) },
  {
    name: 'import, rows with errors',
    path: '/my-products',
    before: async (page) => {
      await answer('/api/account/products?*', OWN_PRODUCTS)(page)
      await page.route('**/api/account/products/imports**', (route) => route.fulfill({ status: 201, json: IMPORT }))
      await page.route('**/imports/*/rows?*', (route) => route.fulfill({ json: [IMPORT_ROW] }))
    },
    open: async (page) => {
      await openDialog('Import products')(page)
      const file = { name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from('title,price') }
      await page.getByLabel('CSV file').setInputFiles(file)
      await press('Check the file')(page)
      await expect(page.getByText('Row 12: Price')).toBeVisible()
    },
  },
  { name: 'own products, none found', path: '/my-products?q=x', before: answer('/api/account/products?*', []) },
  {
    name: 'options of an own product',
    path: '/my-products',
    before: ownProducts,
    open: openDialog(/^Options of/),
  },
  { name: 'change password', path: '/settings', open: openDialog('Change Password') },
  {
    name: 'choose a password',
    path: '/settings',
    before: answer('/api/account', ACCOUNT_WITHOUT_PASSWORD),
    open: openDialog('Change Password'),
  },
  { name: 'passkeys', path: '/settings', open: openDialog('Passkeys') },
  { name: 'active sessions', path: '/settings', open: openDialog('Active Sessions') },
  {
    name: 'a proof of identity',
    path: '/settings',
    open: async (page) => {
      await answer('/api/account/passkeys/options', { message: 'Please', code: 'step_up_required' }, 403)(page)
      await openDialog('Passkeys')(page)
      await press('Add a passkey')(page)
      await expect(page.getByLabel('Your password')).toBeVisible()
    },
  },
  { name: 'a proof of identity by email', path: '/settings', open: askMailedCode },
  {
    name: 'a proof of identity by email, code sent',
    path: '/settings',
    open: async (page) => {
      await askMailedCode(page)
      await answer('/api/account/step-up/mail', { sentTo: 'ada@example.com' }, 202)(page)
      await press('Email me a code')(page)
      await expect(page.getByLabel('Code')).toBeFocused()
    },
  },
  { name: 'two-factor authentication', path: '/settings', open: openDialog('Two-Factor Authentication') },
  { name: 'settings of staff', as: 'admin', path: '/settings' },
  { name: 'change email', path: '/settings', open: openDialog(/Change Email/) },
  { name: 'download my data', path: '/settings', open: openDialog(/Download My Data/) },
  { name: 'delete account', path: '/settings', open: openDialog(/Delete Account/) },
  { name: 'configure webhooks', path: '/settings', open: openDialog('Configure Webhooks') },
  {
    name: 'credit history',
    path: '/profile',
    before: ownCredit,
    open: openDialog('Credit history'),
  },
  { name: 'edit profile', path: '/profile', before: ownCredit, open: openDialog('Edit Profile') },
  { name: 'email preferences', path: '/profile', before: ownCredit, open: openDialog('Email Preferences') },
  {
    name: 'email preferences, followed sellers',
    path: '/profile',
    before: answer('/api/follows', FOLLOWED),
    open: async (page) => {
      await openDialog('Email Preferences')(page)
      await expect(page.getByRole('button', { name: 'Unfollow Ada O.' })).toBeVisible()
    },
  },
  {
    name: 'email preferences, followed sellers loading',
    path: '/profile',
    before: hang('/api/follows'),
    open: openDialog('Email Preferences'),
  },
  {
    name: 'email preferences, followed sellers failed',
    path: '/profile',
    before: answer('/api/follows', {}, 409),
    open: async (page) => {
      await openDialog('Email Preferences')(page)
      await expect(page.getByText('Couldn’t load the sellers you follow')).toBeVisible()
    },
  },
  { name: 'settings', path: '/settings' },
  {
    name: 'chat',
    path: '/categories',
    open: async (page) => {
      await press('AI Assistant')(page)
      await expect(page.getByRole('log')).toBeVisible()
      await page.getByPlaceholder('Type your message...').fill('How do I get a refund?')
      await press('Send')(page)
      await expect(page.getByRole('log').getByText('How do I get a refund?').first()).toBeVisible()
      await page.getByPlaceholder('Type your message...').fill('x'.repeat(1990))
    },
  },
  {
    name: 'chat, answers',
    path: '/categories',
    before: async (page) => {
      await answer('/api/chat', TALK)(page)
      await answer('/api/chat/status', CHAT_STATUS)(page)
      await answer('/api/chat/rate', { rating: -1 })(page)
    },
    open: async (page) => {
      await press('AI Assistant')(page)
      await press('This did not help')(page)
      await expect(page.getByLabel('What was wrong?')).toBeFocused()
    },
    picture: {
      file: 'chat',
      before: async (page) => {
        await answer('/api/chat', ADVICE)(page)
        await answer('/api/chat/status', { ...CHAT_STATUS, answering: null, asksScore: false })(page)
      },
      open: async (page) => {
        await press('AI Assistant')(page)
        await expect(page.getByRole('log').getByText(CARD.title)).toBeVisible()
      },
    },
  },
  { name: 'chat, next steps', path: '/categories', before: talk, open: openTalk },
  {
    name: 'chat, other meanings',
    path: '/categories',
    before: talk,
    open: async (page) => {
      await openTalk(page)
      await press('Not what I meant')(page)
      await expect(page.getByRole('group', { name: 'Other meanings' })).toBeVisible()
    },
  },
  {
    name: 'chat, failed',
    path: '/',
    before: answer('/api/chat', {}, 404),
    open: async (page) => {
      await press('AI Assistant')(page)
      await expect(page.getByText('Couldn’t load the messages')).toBeVisible()
    },
  },
  { name: 'help center', path: '/help' },
  { name: 'help center, nothing found', path: '/help?q=zzzzqqqq' },
  { name: 'help article', path: '/help/downloads' },
  { name: 'help article, unknown', path: '/help/no-such-thing' },
  {
    name: 'overview of staff',
    as: 'admin',
    path: '/admin',
    picture: { file: 'staff' },
    before: async (page) => {
      const sums = {
        ...{ orders: 1_234_567, sales: 1_300_000, revenue: '9999999.99', refunded: '99999.99' },
        ...{ fees: '499999.99', costs: '-99999.99', newMembers: 1234 },
      }
      await answer('/api/admin/totals', { today: sums, week: sums })(page)
      await answer('/api/admin/ledger/breaches', [
        { id: USER_ID, rule: 'Ledger', violation: 'x'.repeat(100), foundAt: WHEN },
      ])(page)
      const waiting = { mine: 0, oldestAt: WHEN }
      await answer('/api/admin/waiting', [
        { kind: 'disputes', ...waiting, count: 1 },
        { kind: 'chats', ...waiting, count: 3, mine: 1 },
        { kind: 'refundApprovals', ...waiting, count: 1200 },
        { kind: 'payouts', mine: 0, count: 0, oldestAt: null },
      ])(page)
      const item = {
        id: USER_ID,
        about: HELD.buyer,
        amount: null,
        since: WHEN,
        dueAt: null,
        owner: null,
        isMine: false,
      }
      await answer('/api/admin/open-items', [
        { ...item, kind: 'disputes', amount: '1234567.00', dueAt: WHEN, owner: 'x'.repeat(100) },
        { ...item, kind: 'chats', isMine: true },
      ])(page)
    },
    open: async (page) => {
      await expect(page.getByRole('link', { name: '1,200 refunds to approve' })).toBeVisible()
      await expect(page.getByText('1 ledger rule broken. Stop payouts until you know why.')).toBeVisible()
    },
  },
  {
    name: 'menu of staff',
    as: 'admin',
    path: '/admin/audit',
    open: async (page) => {
      const menu = page.getByRole('navigation', { name: 'Staff pages' })
      if ((await menu.locator('summary').count()) > 0) await menu.locator('summary').click()
      await expect(menu.getByRole('link', { name: 'Overview' })).toBeVisible()
    },
  },
  {
    name: 'overview of staff, nothing waits',
    as: 'admin',
    path: '/admin',
    before: async (page) => {
      await answer('/api/admin/waiting', [{ kind: 'chats', count: 0, mine: 0, oldestAt: null }])(page)
      await answer('/api/admin/open-items', [])(page)
    },
    open: async (page) => expect(page.getByText('Nothing waits', { exact: true })).toBeVisible(),
  },
  {
    name: 'overview of staff, failed',
    as: 'admin',
    path: '/admin',
    before: async (page) => {
      await answer('/api/admin/open-items', {}, 404)(page)
      await answer('/api/admin/totals', {}, 404)(page)
      await answer('/api/admin/ledger/breaches', {}, 404)(page)
    },
    open: async (page) => {
      await expect(page.getByText('Couldn’t load the totals')).toBeVisible()
      await expect(page.getByText('Couldn’t load the check of the ledger')).toBeVisible()
      await expect(page.getByText('All well')).toHaveCount(0)
    },
  },
  { name: 'support inbox', as: 'admin', path: '/admin/chat', before: conversation },
  {
    name: 'answers of the assistant',
    as: 'admin',
    path: '/admin/answers',
    before: answer('/api/admin/answers', [reviewedAnswer]),
    open: press('Teach an answer'),
  },
  {
    name: 'answers of the assistant, no figures',
    as: 'admin',
    path: '/admin/answers',
    before: answer('/api/admin/chat/report?*', {
      ...{ days: 30, answers: 0, medianMinutes: null, p90Minutes: null, satisfaction: null, agents: [] },
      assistant: { answers: 0, unsure: 0, helped: 0, notHelped: 0 },
      costs: { chatDollars: '0.00', analyzeDollars: '0.00', explainDollars: '0.00' },
    }),
    open: async (page) => expect(page.getByText('No answers, ratings or costs.')).toBeVisible(),
  },
  { name: 'errors', as: 'admin', path: '/admin/errors', before: errorGroup, open: openError },
  { name: 'audit log', as: 'admin', path: '/admin/audit' },
  { name: 'categories of staff', as: 'admin', path: '/admin/categories' },
  { name: 'a category, edited', as: 'admin', path: '/admin/categories', open: openDialog('Edit E-Books') },
  {
    name: 'a product is connected to the supplier',
    as: 'admin',
    path: '/admin/supply',
    before: answer('/api/admin/supply', {
      ...{ hasSupplier: true, minutes: 60 },
      supplies: [{ productId: crypto.randomUUID(), title: 'Card of 25', sku: 'CARD-25', minutes: 60, waiting: 2 }],
    }),
    open: openDialog('Edit Card of 25'),
  },
  { name: 'members', as: 'admin', path: '/admin/members' },
  {
    name: 'members with long names',
    as: 'admin',
    path: '/admin/members?kind=suspended',
    before: answer('/api/admin/members?*', [MEMBER, { ...MEMBER, id: 'x', role: 'member', isSuspended: false }]),
    open: async (page) => expect(page.getByText('Suspended', { exact: true }).last()).toBeVisible(),
  },
  { name: 'members, none', as: 'admin', path: '/admin/members?q=x', before: answer('/api/admin/members?*', []) },
  { name: 'members, failed', as: 'admin', path: '/admin/members', before: answer('/api/admin/members?*', {}, 404) },
  {
    name: 'a member',
    as: 'admin',
    path: `/admin/members/${USER_ID}`,
    before: memberFile({}),
    open: (page) => page.getByText('Suspend the seller').click(),
    picture: { file: 'staff-member', path: ({ memberId }) => `/admin/members/${memberId}` },
  },
  {
    name: 'a suspended member',
    as: 'admin',
    path: `/admin/members/${USER_ID}`,
    before: memberFile({ seller: HIDDEN_FILE.seller }),
    open: async (page) => expect(page.getByRole('button', { name: 'Lift the suspension' })).toBeVisible(),
  },
  {
    name: 'a member without any history',
    as: 'admin',
    path: `/admin/members/${USER_ID}`,
    before: memberFile({ purchases: [], sales: [], messages: [], cases: [] }),
    open: async (page) => expect(page.getByText('No purchases.')).toBeVisible(),
  },
  {
    name: 'staff give a reason to see the shop as a member',
    as: 'admin',
    path: `/admin/members/${USER_ID}`,
    before: memberFile({ role: 'member' }),
    open: openDialog('See the shop as this member'),
  },
  {
    name: 'a member is signed out',
    as: 'admin',
    path: `/admin/members/${USER_ID}`,
    before: memberFile({}),
    open: openDialog('Sign out everywhere'),
  },
  { name: 'a member, unknown', as: 'admin', path: `/admin/members/${USER_ID}` },
  { name: 'reports', as: 'admin', path: '/admin/reports', before: reports },
  {
    name: 'reported messages',
    as: 'admin',
    path: '/admin/reports?show=messages',
    before: showStaffMessages,
    open: async (page) => {
      await page.getByText('Ended by staff').click()
      await expect(page.getByRole('button', { name: 'Close the report' })).toBeVisible()
    },
  },
  {
    name: 'a reported product',
    as: 'admin',
    path: '/admin/reports',
    before: reports,
    open: async (page) => {
      await page.getByRole('list', { name: 'Reports' }).getByRole('link').click()
      await page.getByText('Suspend the seller').click()
    },
  },
  {
    name: 'a hidden review with its suspended seller',
    as: 'admin',
    path: `/admin/reports/${USER_ID}`,
    before: async (page) => {
      await answer('/api/admin/reports?*', [])(page)
      await answer(`/api/admin/reports/${USER_ID}`, HIDDEN_FILE)(page)
    },
    open: async (page) => expect(page.getByRole('button', { name: 'Lift the suspension' })).toBeVisible(),
  },
  {
    name: 'page of staff, identity to be verified',
    as: 'admin',
    path: '/admin/audit',
    before: answer('/api/admin/audit?*', { message: 'x', code: 'step_up_required' }, 403),
    open: async (page) =>
      expect(page.getByRole('heading', { name: 'Please verify your identity to continue' })).toBeVisible(),
  },
  {
    name: 'orders of everybody',
    as: 'admin',
    path: '/admin/orders',
    before: answer('/api/admin/orders?*', [FOUND, { ...FOUND, id: 'x', buyer: null }]),
    open: async (page) => expect(page.getByText('Former member')).toBeVisible(),
  },
  {
    name: 'an order for staff',
    as: 'admin',
    path: `/admin/orders/${USER_ID}`,
    before: orderFile,
    open: async (page) => expect(page.getByRole('heading', { name: 'Risk' })).toBeVisible(),
    picture: { file: 'staff-order', path: ({ staffOrderId }) => `/admin/orders/${staffOrderId}` },
  },
  {
    name: 'refund, mistakes',
    as: 'admin',
    path: `/admin/orders/${USER_ID}`,
    before: orderFile,
    open: async (page) => {
      await openDialog('Refund')(page)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Refund $7.50' }).click()
      await expect(dialog.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
    },
  },
  {
    name: 'risk, waiting',
    as: 'admin',
    path: '/admin/risk',
    before: risk,
    open: async (page) => page.getByText('All facts').click(),
  },
  {
    name: 'risk, pauses',
    as: 'admin',
    path: '/admin/risk',
    before: risk,
    open: press('Paused'),
  },
  {
    name: 'risk, weights tried',
    as: 'admin',
    path: '/admin/risk',
    before: risk,
    open: async (page) => {
      await press('Weights')(page)
      await page.getByLabel('Hold from').fill('70')
      await press(/^Try on/)(page)
      await expect(page.getByRole('status', { name: 'Effect' })).toBeVisible()
    },
  },
  {
    name: 'disputes',
    as: 'admin',
    path: '/admin/disputes',
    before: answer('/api/admin/disputes?*', [DISPUTE, { ...DISPUTE, id: 'x', buyer: null }]),
    open: async (page) => expect(page.getByText('Former member')).toBeVisible(),
  },
  {
    name: 'a dispute',
    as: 'admin',
    path: `/admin/disputes/${USER_ID}`,
    before: answer(`/api/admin/disputes/${USER_ID}`, DISPUTE_CASE),
    open: async (page) => expect(page.getByRole('heading', { name: 'Evidence' })).toBeVisible(),
  },
  {
    name: 'an inquiry',
    as: 'admin',
    path: `/admin/disputes/${USER_ID}`,
    before: answer(`/api/admin/disputes/${USER_ID}`, { ...DISPUTE_CASE, stage: 'inquiry', canReply: true }),
    open: async (page) => {
      await expect(page.getByRole('heading', { name: 'Write to the buyer' })).toBeVisible()
      await expect(page.getByRole('list', { name: 'Attached files' })).toBeVisible()
    },
  },
  {
    name: 'a dispute that the provider forgot',
    as: 'admin',
    path: `/admin/disputes/${USER_ID}`,
    before: answer(`/api/admin/disputes/${USER_ID}`, { ...DISPUTE_CASE, missingSince: WHEN, canSettle: true }),
    open: openDialog('Say how it ended'),
  },
  {
    name: 'payouts, chosen',
    as: 'admin',
    path: '/admin/payouts',
    before: answer('/api/admin/payouts?*', QUEUED),
    open: async (page) => {
      await press(/^Choose all/)(page)
      await press('Decline')(page)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Decline' }).click()
      await expect(dialog.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
    },
  },
  {
    name: 'payouts, batches',
    as: 'admin',
    path: '/admin/payouts',
    before: answer('/api/admin/payouts/batches', BATCHES),
    open: press('Batches'),
  },
  {
    name: 'transfers in USDC',
    as: 'admin',
    path: '/admin/transfers',
    before: answer('/api/admin/transfers?*', TRANSFERS),
    open: async (page) => expect(page.getByText('The scan stands still')).toBeVisible(),
  },
  {
    name: 'transfers in USDC, sent back',
    as: 'admin',
    path: '/admin/transfers',
    before: answer('/api/admin/transfers?*', TRANSFERS),
    open: openDialog('Mark as sent'),
  },
  { name: 'setup of USDC', as: 'admin', path: '/settings', open: openDialog(/Crypto/) },
  { name: 'order that waits', path: '/orders', before: holdOrders },
  { name: 'audit log, failed', as: 'admin', path: '/admin/audit', before: answer('/api/admin/audit?*', {}, 404) },
  {
    name: 'support conversation',
    as: 'admin',
    path: '/admin/chat',
    before: conversation,
    open: async (page) => {
      await page.getByRole('link', { name: /Ada Okafor/ }).click()
      await expect(page.getByRole('log').getByText('Dolor')).toBeVisible()
      await expect(page.getByText('Bo Second answers this customer')).toBeVisible()
    },
    picture: {
      file: 'staff-inbox',
      path: ({ memberId }) => `/admin/chat/${memberId}`,
      open: async (page) => expect(page.getByRole('log')).toBeVisible(),
    },
  },
  {
    name: 'support conversation, replies',
    as: 'admin',
    path: '/admin/chat',
    before: async (page) => {
      await conversation(page)
      await answer('/api/admin/chat/replies', [{ id: USER_ID, title: 'Thanks', body: 'Thank you, {name}.' }])(page)
    },
    open: async (page) => {
      await page.getByRole('link', { name: /Ada Okafor/ }).click()
      await openDialog('Replies')(page)
      await expect(page.getByRole('button', { name: /^Thanks/ })).toBeVisible()
    },
  },
  {
    name: 'review, being written',
    path: product,
    open: press('Write a review'),
  },
  { name: 'unknown page', path: '/no/such/page' },
  { name: 'error', path: '/orders', before: answer('/api/orders?limit=50', [{ id: 'x' }]), isBroken: true },
  {
    name: 'notification',
    path: '/cart',
    open: async (page) => {
      await answer('/api/cart/*', { message: 'Not found' }, 404)(page)
      await press(/^Remove /)(page)
      await expect(page.getByText('Failed to remove item.').first()).toBeVisible()
    },
  },
  {
    name: 'offline notice',
    path: '/settings',
    open: async (page) => {
      await page.evaluate(() => {
        Object.defineProperty(navigator, 'onLine', { value: false })
        dispatchEvent(new Event('offline'))
      })
      await expect(page.getByText('No Internet connection')).toBeVisible()
    },
  },
  {
    name: 'book in the reader',
    path: '/library',
    isOnlyPicture: true,
    picture: {
      file: 'reader-book',
      path: ({ bookId }) => `/read/${bookId}`,
      open: async (page) => expect(page.locator('.reader__text')).toBeVisible(),
    },
  },
  {
    name: 'PDF in the reader',
    path: '/library',
    isOnlyPicture: true,
    picture: {
      file: 'reader-pdf',
      path: ({ pdfId }) => `/read/${pdfId}`,
      open: async (page) => expect(page.locator('.reader__paper canvas')).toBeVisible(),
    },
  },
  {
    name: 'recording in the player',
    path: '/library',
    isOnlyPicture: true,
    picture: {
      file: 'reader-audio',
      path: ({ soundId }) => `/read/${soundId}`,
      open: async (page) => expect(page.getByRole('button', { name: /^Play/ }).first()).toBeVisible(),
    },
  },
  {
    name: 'course',
    path: '/library',
    isOnlyPicture: true,
    picture: {
      file: 'course',
      path: ({ courseId }) => `/learn/${courseId}`,
      open: async (page) => expect(page.getByRole('status', { name: 'Loading the course' })).toHaveCount(0),
    },
  },
]

/**
 * The screens in the order of their visits. Screens of one page with the same answers share a visit: first the page,
 * then its dialogs.
 */
export const visits: [Screen, ...Screen[]][] = []
for (const screen of screens) {
  const { as, path, before, isBroken } = screen
  if (screen.isOnlyPicture) continue
  const visit = visits.find(
    ([first]) => !isBroken && !first.isBroken && as === first.as && path === first.path && before === first.before,
  )
  if (!visit) visits.push([screen])
  else if (screen.open) visit.push(screen)
  else visit.unshift(screen)
}

/** The screens of docs/screens/, in the order of the list. */
export const pictures = screens.flatMap(({ name, as, path, picture }) =>
  picture ? [{ name, as, path, ...picture }] : [],
)

/** Closes the dialogs of the last screen and opens the next screen of the same page. */
export async function showNext(page: Page, { open }: Screen) {
  await expect(async () => {
    const isOpen = await page.getByRole('dialog').count()
    if (isOpen) await page.keyboard.press('Escape')
    expect(isOpen).toBe(0)
  }).toPass()
  await open?.(page)
}

/** Opens a screen and waits until it has loaded. */
export async function show(page: Page, { path, as, before, open }: Screen, things: Things) {
  // The proof of identity expires after ten minutes.
  if (as === 'admin') await page.request.post('/api/account/step-up', { data: { password: things.passwordOfStaff } })
  await before?.(page)
  await page.goto(typeof path === 'string' ? path : path(things))
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  if (!before) await expect(page.locator('.skeleton')).toHaveCount(0)
  await open?.(page)
}

export type State = Awaited<ReturnType<BrowserContext['storageState']>>
export type Stage = { states: Record<Role, State | undefined>; things: Things }

const PREPARING_MS = 140_000

/** Returns what all workers share: the first worker prepares it, the others wait for its file. */
export async function share<Shared>(name: string, prepare: () => Promise<Shared>): Promise<Shared> {
  const file = join(process.env.E2E_DATA_DIR!, `${name}.json`)
  if (isTaken(`${file}.lock`)) {
    await expect.poll(() => existsSync(file), { timeout: PREPARING_MS }).toBe(true)
    return JSON.parse(readFileSync(file, 'utf8')) as Shared
  }
  const prepared = await prepare()
  writeFileSync(`${file}.new`, JSON.stringify(prepared))
  renameSync(`${file}.new`, file)
  return prepared
}

export const shareStage = (browser: Browser): Promise<Stage> => share('stage', () => setStage(browser))

function isTaken(lock: string): boolean {
  try {
    mkdirSync(lock)
    return false
  } catch {
    return true
  }
}

/** Signs in the demo store's shopper and administrator. The shopper gets an order and two products in the cart. */
async function setStage(browser: Browser): Promise<Stage> {
  const [shopper, admin] = await Promise.all([openAs(browser, 'shopper'), openAs(browser, 'admin')])
  const { request } = shopper.context()
  // the demo store saves the wallet after its products
  await expect
    .poll(async () => ((await (await request.get('/api/wallets')).json()) as object[]).length)
    .toBeGreaterThan(0)
  await request.delete('/api/cart')
  const { id: productId } = await fillCart(shopper, 'Salt and Time')
  await fillCart(shopper, 'Larkspur Coffee Bar')
  await shopper.goto('/cart')
  await shopper.getByRole('button', { name: 'Quick Buy' }).click()
  await shopper.waitForURL(/\/orders\//)
  const orderId = new URL(shopper.url()).pathname.split('/')[2]!
  await fillCart(shopper, 'Salt and Time')
  await fillCart(shopper, 'Morning Bells')
  const states = {
    nobody: undefined,
    seller: undefined,
    shopper: await shopper.context().storageState(),
    admin: await admin.context().storageState(),
  }
  await Promise.all([shopper.context().close(), admin.context().close()])
  return { states, things: { productId, orderId, passwordOfStaff: demoAccount('admin').password } }
}

export async function openAs(browser: Browser, role: DemoRole): Promise<Page> {
  const page = await (await browser.newContext({ serviceWorkers: 'block' })).newPage()
  await enter(page, demoAccount(role))
  return page
}

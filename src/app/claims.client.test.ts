import { createServer as createWebServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, createElement, type FunctionComponent, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { createFake } from '../../test/fakeProvider/fakeProvider.ts'
import { addProduct } from '../../test/goods.ts'
import { openFakeModel } from '../../test/model.ts'
import { openTestShop, type Person, type TestShop } from '../../test/shop.ts'
import { buy } from '../../test/buy.ts'
import { capturePayment, startPayment } from '../checkout/checkout.contract.ts'
import { createLimiter } from '../kit/serve/limit.server.ts'
import { listHelp } from '../assistant/help/help.contract.ts'
import { sendChat } from '../support/chat/chat.contract.ts'
import { queryClient } from '../kit/query/query.client.ts'
import { getStatus } from '../monitoring/health/status.contract.ts'
import { listIntegrations } from '../providers/integrations.contract.ts'
import type { OpenProvider } from '../providers/openProvider.server.ts'
import { createLanding } from './landing/landing.server.ts'
import { addSamples } from '../reviews/reviews.server.ts'
import { listPurchases, saveReview } from '../reviews/reviews.contract.ts'

// Renders every page of three shops to text, with dialogs and the chat open, and compares their claims with the facts.
// Renders without a browser, again and again until lazy parts have loaded.

const loading: Promise<unknown>[] = []
vi.mock('react', async (original) => ({
  ...(await original<typeof import('react')>()),
  useSyncExternalStore: (_: unknown, read: () => unknown) => read(),
}))
// Renders each dialog open inside its page.
vi.mock('radix-ui/dialog', () => {
  const Part = ({ children }: { children: ReactNode }) => createElement('div', null, children)
  return { Root: Part, Portal: Part, Overlay: Part, Content: Part, Title: Part, Description: Part, Close: Part }
})
vi.mock('../ui/useDialog.ts', () => ({
  useDialog: () => ({ isWanted: true, open: () => undefined, props: { isOpen: true, onClose: () => undefined } }),
}))
vi.mock('../ui/Later.tsx', () => ({ Later: ({ children }: { children: unknown }) => children }))
vi.mock('../ui/lazy.client.ts', () => ({
  useRetryOnline: () => undefined,
  lazy: (load: () => Promise<Record<string, unknown>>, name: string) => {
    let value: unknown
    const preload = () => load().then((loaded) => (value = loaded[name]))
    const useLoaded = () => {
      if (!value) loading.push(preload())
      return { value }
    }
    return { useLoaded, preload, isHere: () => value !== undefined }
  },
}))

type Facts = {
  /** Counted in the database. */
  paid: number
  spent: string
  listed: number
  reviews: number
  rating: string
  samples: number
  hasRates: boolean
  /** Set by the test. */
  place: string
  isProviderUp: boolean
  isSandbox: boolean
  isPaused: boolean
  hasAi: boolean
  hasScanner: boolean
  isDemo: boolean
  isAdmin: boolean
  /** The results of the probes. */
  ready: string
}

type Claim = [name: string, said: RegExp, isSo: (said: string[], facts: Facts) => boolean, lie: string]

const never = () => false
/** Claims that must be true wherever pages make them. Each `lie` is false in the default shop. */
const CLAIMS: Claim[] = [
  ['readiness', /(\d+ of \d+) ready/g, ([, count], { ready }) => count === ready, '7 of 7 ready'],
  ['a demo', /Demo: /g, (_, { isDemo }) => isDemo, ''],
  ['the place', /Location ([A-Z][\w ]+?), [A-Z]{3}/g, ([, name], { place }) => name === place, 'Location France, EUR'],
  ['rates', /Rates of /g, (_, { hasRates }) => hasRates, 'Rates of Nov 22. You pay in US dollars.'],
  ['no rates', /Prices are in US dollars\./g, (_, { hasRates }) => !hasRates, ''],
  ['rates that come back', /aren’t available right now/g, never, 'Exchange rates aren’t available right now.'],
  ['counters', /auto-fixed(?! since this page was loaded)/g, never, '2 errors, 1 auto-fixed Security'],
  ['AI', /\bAI\b(?! (Assistant|Chat Support|Analyze|Text))/g, (_, { hasAi }) => hasAi, 'AI monitoring 0 errors'],
  ['a provider', /(PayPal|Live Pay|Saved wallet) connected/g, (_, { isProviderUp }) => isProviderUp, ''],
  ['a provider away', /(Pay|PayPal|Saved wallet) not answering/g, (_, f) => !f.isProviderUp, 'PayPal not answering'],
  ['a check', /The last check connected/g, (_, { isProviderUp }) => isProviderUp, ''],
  ['a failed check', /The last check got no/g, (_, f) => !f.isProviderUp, 'The last check got no response'],
  ['play money', /This is (a|the payment) sandbox/g, (_, { isSandbox }) => isSandbox, ''],
  ['crypto', /Crypto connected/g, never, 'Crypto connected Active'],
  [
    'real money',
    /(PayPal|Stripe|Pay) connected(?!, sandbox)/g,
    (_, { isSandbox }) => !isSandbox,
    'PayPal connected Active',
  ],
  ['a sandbox', /connected, sandbox/g, (_, { isSandbox }) => isSandbox, ''],
  ['the badge of staff', /Admin (?=Email|Joined)/g, (_, { isAdmin }) => isAdmin, ''],
  ['the status', /Account status: Active/g, (_, { isPaused }) => !isPaused, ''],
  ['a restriction', /[Rr]estricted/g, (_, { isPaused }) => isPaused, 'Account temporarily restricted'],
  ['the second factor', /Two-factor auth: Enabled/g, never, 'Two-factor auth: Enabled'],
  ['orders', /Total Orders (\d+)/g, ([, count], { paid }) => Number(count) === paid, 'Total Orders 9'],
  ['money spent', /Total Spent (\$[\d.,]+)/g, ([, sum], { spent }) => sum === spent, 'Total Spent $1.00'],
  ['products', /(\d+) product\(s\) found/g, ([, count], { listed }) => Number(count) === listed, '9 product(s) found'],
  [
    'the shop today',
    /Wide Product Range (\d+) products/g,
    ([, count], { listed }) => Number(count) === listed,
    'Wide Product Range 9 products',
  ],
  [
    'the rating',
    /(\d\.\d) \((\d+) reviews?\)/g,
    ([, mean, count], { rating, reviews }) => mean === rating && Number(count) === reviews,
    '4.8 (124 reviews) the store’s rating, 2 are samples',
  ],
  [
    'unmarked samples',
    /\(\d+ reviews?\)(?! the store’s rating, \d+ are)/g,
    (_, f) => f.samples === 0,
    '4.3 (3 reviews)',
  ],
  ['samples', /, (\d+) are samples/g, ([, count], { samples }) => Number(count) === samples, ', 9 are samples'],
  ['real reviews', /every review comes from/g, (_, { samples }) => samples === 0, 'so every review comes from a'],
  [
    'a check of files',
    /checked (it\b|(the|its) file)/g,
    (_, { hasScanner }) => hasScanner,
    'as soon as we’ve checked its file',
  ],
  ['delivery', /the moment you pay|delivered at once/g, never, 'Yours the moment you pay.'],
  ['codes', /can add (those|codes)/g, never, 'only the people who run the store can add those'],
]

const UNSAID = ['unmarked samples', 'real reviews', 'a check of files']

const liesIn = (text: string, facts: Facts) =>
  CLAIMS.flatMap(([name, said, isSo]) =>
    [...text.matchAll(said)].filter((found) => !isSo(found, facts)).map(([words]) => `${name}: ${words}`),
  )

/** Renders, loads the requested data, and renders again until nothing is missing. */
async function textOf(Page: ComponentType, path: string): Promise<string> {
  queryClient.clear()
  for (let round = 0; round < 9; round++) {
    const page = createElement(Router as FunctionComponent<{ ssrPath: string }>, { ssrPath: path }, createElement(Page))
    const html = renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, page))
    const asked = queryClient
      .getQueryCache()
      .getAll()
      .filter(
        ({ state, options }) => state.status === 'pending' && (options as { enabled?: boolean }).enabled !== false,
      )
    if (asked.length + loading.length === 0) return wordsOf(html)
    await Promise.all([...asked.map((read) => read.fetch().catch(() => undefined)), ...loading.splice(0)])
  }
  throw new Error(`${path} never has all of its data`)
}

const wordsOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')

/** Renders every page as staff see it, the help articles, System Status, the chat, and the landing page. */
async function walk({ shop, person, productId, orderId }: World, plain: typeof fetch): Promise<string> {
  const headers = { cookie: person.cookie, 'x-forwarded-for': '8.8.8.8' }
  vi.stubGlobal('fetch', (to: string, init: RequestInit = {}) =>
    plain(new URL(to, shop.url), {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers },
    }),
  )
  vi.stubGlobal('location', new URL(shop.url))
  const { placeAt } = await import('./shell/pages.tsx')
  const { PAGE_PATHS } = await import('./shell/paths.ts')
  const { SystemStatusDetails } = await import('./pages/SystemStatusDetails.tsx')
  const { Landing } = await import('./landing/Landing.tsx')
  const { ChatPanel } = await import('../support/chat/ChatPanel.tsx')
  const { IntegrationDialog } = await import('../providers/settings/IntegrationDialog.tsx')
  const ids = {
    ':userId': person.id,
    ':handle': 'nobody-here',
    ':token': 'x'.repeat(32),
    ':idOrNew': productId,
    'orders/:id': `orders/${orderId}`,
    ':id': productId,
  }
  const articles = (await shop.call(listHelp, {}, { headers, fetch: plain })).map(({ slug }) => `/help/${slug}`)
  const pages = PAGE_PATHS.filter((path) => !path.includes(':slug')).map((path: string) =>
    Object.entries(ids).reduce((filled, [name, id]) => filled.replace(name, id), path),
  )
  const dialog = { isOpen: true, onClose: () => undefined }
  const parts = [
    () => createElement(SystemStatusDetails, { health: '' }),
    () => createElement(ChatPanel, dialog),
    ...(await person.call(listIntegrations, {}, { fetch: plain })).map(
      (integration) => () => createElement(IntegrationDialog, { ...dialog, integration }),
    ),
  ]
  const texts: string[] = []
  for (const part of parts) texts.push(await textOf(part, '/'))
  const { cache, database, url } = shop
  const fill = createLanding({
    cache,
    hasSignUp: true,
    limiter: createLimiter(),
    pool: database.pool,
    publicUrl: url,
    storeName: 'Primo',
  })
  const { plain: landing } = await fill(`%HEAD%${renderToStaticMarkup(createElement(Landing))}`)('/', '')
  texts.push(wordsOf(landing.toString().replaceAll(/<meta [^>]*content="(.*?)" \/>/g, '$1 ')))
  for (const path of [...pages, ...articles]) {
    vi.stubGlobal('location', new URL(path, shop.url))
    const { place, id } = placeAt(path)!
    texts.push(`${path} ${await textOf(() => createElement(place.Page, { id }), path)}`)
  }
  return texts.join('\n')
}

type World = { shop: TestShop; person: Person; productId: string; orderId: string; known: Partial<Facts> }

/** Opens a shop with a member who bought and reviewed a product, in addition to two sample reviews. */
async function openWorld(
  env: Record<string, string>,
  known: Partial<Facts>,
  pay?: ReturnType<typeof createFake>,
): Promise<World> {
  const opening: OpenProvider = async (context) => {
    const opened = (await pay!.opening(context))!
    return { ...opened, provider: { ...opened.provider, label: 'Live Pay', mode: 'live' } }
  }
  const shop = await openTestShop(env, pay ? { providers: [opening] } : {})
  const person = await shop.join({ isAdmin: true })
  const product = await addProduct(shop)
  await addProduct(shop)
  if (pay) {
    const items = [{ productId: product.id, quantity: 1 }]
    const { id } = await person.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture', items })
    pay.payments.get(id)!.state = 'approved'
    await person.call(capturePayment, { id })
  } else await buy(shop, person, product)
  const [purchase] = await person.call(listPurchases, { id: product.id })
  await person.call(saveReview, { lineId: purchase!.lineId, stars: 3, text: '' })
  const sample = { productId: product.id, author: 'Jonas T.', stars: 5, text: '', createdAt: new Date() }
  await addSamples(shop.database.db, [sample, sample])
  await person.call(sendChat, { message: 'Where is my file?' }, { headers: { 'idempotency-key': crypto.randomUUID() } })
  return { shop, person, productId: product.id, orderId: purchase!.orderId, known }
}

async function factsOf({ shop, person, known }: World): Promise<Facts> {
  const { rows } = await shop.database.pool.query<Omit<Facts, keyof typeof UNSET>>(
    `SELECT (SELECT count(*)::int FROM orders WHERE user_id = $1 AND status = 'completed') AS paid,
      (SELECT '$' || to_char(sum(total_cents) / 100.0, 'FM990.00') FROM orders WHERE user_id = $1) AS spent,
      (SELECT count(*)::int FROM products WHERE is_listed) AS listed,
      (SELECT count(*)::int FROM reviews) AS reviews,
      (SELECT to_char(avg(stars), 'FM0.0') FROM reviews) AS rating,
      (SELECT count(sample_author)::int FROM reviews) AS samples,
      EXISTS (SELECT FROM exchange_rates) AS "hasRates"`,
    [person.id],
  )
  const parts = (await shop.call(getStatus, {})).filter(({ grade }) => grade !== 'off')
  const ready = `${parts.filter(({ grade }) => grade === 'ok').length} of ${parts.length}`
  return { ...UNSET, ...rows[0]!, ...known, ready }
}

/** The facts of a shop without any setting. */
const UNSET = {
  place: 'Unknown',
  isProviderUp: true,
  isSandbox: true,
  isPaused: false,
  hasAi: false,
  hasScanner: false,
  isDemo: true,
  isAdmin: true,
  ready: '',
}

const DEAD = '127.0.0.1:1'
const closing: (() => unknown)[] = []

async function listen(answer: string, greeting?: string) {
  const server = createServer((socket) => {
    if (greeting) socket.write(greeting)
    socket.on('data', () => socket.write(answer)).on('error', () => undefined)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closing.push(() => server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function openServices() {
  const web = createWebServer((_, response) =>
    response.end(JSON.stringify({ country_code: 'DE', city: 'Berlin', rates: { EUR: 0.92 } })),
  )
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done))
  const model = await openFakeModel()
  closing.push(() => web.close(), model.close)
  const at = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  return {
    ...model.settings,
    ...{ GEO_URL: `${at}/{ip}`, RATES_URL: at, TRUST_PROXY: '1', MAIL_FROM: 'shop@shop.example' },
    ...{ SMTP_URL: `smtp://${await listen('250 fine\r\n', '220 mail ESMTP\r\n')}`, CLAMD: await listen('PONG\0') },
  }
}

const OPENED = {
  'with its default settings': () => openWorld({}, {}),
  'with everything configured': async () => {
    const set = { place: 'Germany', isSandbox: false, hasAi: true, hasScanner: true }
    const services = await openServices()
    const world = await openWorld(services, set, createFake())
    const { db, pool } = world.shop.database
    const { refreshRates } = await import('../localisation/rates.server.ts')
    await refreshRates(db, services.RATES_URL)
    await pool.query('INSERT INTO backups (size_bytes) VALUES (1)')
    return world
  },
  'whose services are down, to a paused member': async () => {
    const pay = createFake()
    const dead = { AI_URL: `http://${DEAD}/v1`, AI_KEY: 'x', AI_MODEL: 'x', SMTP_URL: `smtp://${DEAD}`, CLAMD: DEAD }
    const away = { ...dead, GEO_URL: `http://${DEAD}/{ip}`, RATES_URL: `http://${DEAD}`, TRUST_PROXY: '1' }
    const set = { isProviderUp: false, isSandbox: false, isPaused: true, hasAi: true, hasScanner: true }
    const world = await openWorld(away, set, pay)
    pay.faults.next = 'away'
    await world.shop.database.pool.query(
      `INSERT INTO risk_blocks (kind, subject, reason, expires_at) VALUES ('account', $1, 'x', now() + interval '1 hour')`,
      [world.person.id],
    )
    return world
  },
}

let defaults: Facts
const said = new Set<string>()
beforeAll(() => {
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('document', { documentElement: { dataset: {} }, addEventListener: () => undefined })
  vi.stubGlobal('navigator', { onLine: true, userAgent: 'test' })
  vi.stubGlobal('innerWidth', 390)
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('history', { state: null })
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
})
afterAll(async () => void (await Promise.all(closing.map((close) => close()))))

test.each(Object.entries(OPENED))('every claim on the pages of a shop %s is true', async (name, open) => {
  const world = await open()
  closing.push(() => world.shop.close())
  const facts = await factsOf(world)
  if (name.includes('default')) defaults = facts
  const plain = globalThis.fetch
  const text = await walk(world, plain).finally(() => vi.stubGlobal('fetch', plain))
  for (const [claim, words] of CLAIMS) if (text.match(words)) said.add(claim)
  expect(liesIn(text, facts)).toEqual([])
})

test.each(CLAIMS.filter(([, , , lie]) => lie))('detects a planted lie about %s', (name, _words, _isSo, lie) => {
  expect(liesIn(lie, defaults)).toEqual([expect.stringContaining(`${name}: `)])
})

test('every claim appears on a page, except those that no page may make', () => {
  const unsaid = CLAIMS.map(([name]) => name).filter((name) => !said.has(name))
  expect(unsaid).toEqual(
    CLAIMS.filter(([name, , isSo]) => isSo === never || UNSAID.includes(name)).map(([name]) => name),
  )
})

import { join as joinPath } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CartItem } from '../../cart/cart.contract.ts'
import type { CurrentUser } from '../../identity/identity.contract.ts'
import type { Bus } from '../../kit/bus.server.ts'
import { Failure, isRefusal } from '../../kit/failure.ts'
import type { SentReply } from '../../kit/query/firstView.ts'
import type { Caller, Page, User } from '../../kit/handle.server.ts'
import { escapeHtml } from '../../kit/html.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { accepts } from '../../kit/serve/accepted.rules.ts'
import { type Cache, createCache } from '../../kit/serve/cache.server.ts'
import type { Limit, Limiter } from '../../kit/serve/limit.server.ts'
import { loggedPath } from '../../kit/serve/errors.server.ts'
import type { Reader, ReadReply } from '../../kit/serve/reader.server.ts'
import { CURRENCIES, pickCurrency } from '../../localisation/currencies.rules.ts'
import { type Currency, USD } from '../../localisation/currency.rules.ts'
import type { Rates } from '../../localisation/localisation.contract.ts'
import type { Drawer } from './drawer.ts'
import { bytesOf, cutAt, join, type Part, partOf, type Segments } from './segments.server.ts'
import { required } from '../../kit/values/required.ts'

type Bundle = Drawer & { BUILD: string; PAGE_FILES: Record<string, { scripts: string[]; styles: string[] }> }
/** Replies in the format of the page: the JSON of a SentReply by its path. */
type Replies = Record<string, string>
/** `ids` are the ids in the data of the view. */
type View = { segments: Segments; ids: Set<string>; until: number }
type Look = { zone: string; currency: Currency }

const USER = '/api/auth/user'
const CART = '/api/cart'
const RATES = '/api/localisation/rates'
const MARK = `slot-${crypto.randomUUID()}-`
const SLOT = new RegExp(`${MARK}([A-Z]+);`)
const slot = (name: string) => `${MARK}${name};`
const CLOCK = /(<span data-clock="[^"]*">)[^<]*/
const GREETING = /(<p data-greeting="[^"]*">)[^<]*/
/** Carts of two and more lines share a rendered page. */
const CART_COUNT = /("Cart, )2( items".*?"icon-btn__badge ">)2(?=<)/s
const UUIDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g
/** Rendering blocks the processor, so above this limit the browser renders. */
const VIEWS: Limit = { per: 'account', count: 30, seconds: 30 }
/** The compression level of a page that is sent once. */
const QUICK = 1
const MAX_BYTES = 16 * 1024 * 1024

/** Separate from the cache of public replies, so that pages of members do not evict those. */
export const createViewCache = (bus: Bus) =>
  createCache<View>(bus, ({ segments }) => bytesOf(segments), { mostBytes: MAX_BYTES })

/** Loads everything for rendering at once, so that a later build does not affect a running server. */
export function createFirstView({
  distDir,
  shell,
  styleOf,
  reader: { read, channelsOf, channels },
  cache,
  limiter,
}: {
  distDir: string
  shell: string
  styleOf: (path: string) => string
  reader: Reader
  cache: Cache<View>
  limiter: Limiter
}) {
  const htmlData = readHtmlData(shell)
  const loading = load().catch((error: unknown) => {
    log.error('pages cannot be drawn; the browser draws them', { error })
    return null
  })

  async function load() {
    const bundle = (await import(pathToFileURL(joinPath(distDir, '.draw.mjs')).href)) as Bundle
    const { BUILD, PAGE_FILES } = bundle
    if (BUILD !== htmlData.build) throw new Error(`the page is of build ${htmlData.build}, not ${BUILD}`)
    await Promise.all([bundle.prepare(), cache.watch(channels)])
    return { ...bundle, documentOf: openDocuments(PAGE_FILES, shell, styleOf) }
  }

  /** Reads all paths. Returns null if a public object does not exist. */
  async function readAll(paths: string[], caller: Caller): Promise<{ replies: Replies; until: number } | null> {
    const found = await Promise.all(paths.map((path) => read(path, caller)))
    if (found.includes(null)) return null
    return {
      replies: Object.fromEntries(paths.map((path, i) => [path, writeReply(required(found[i], 'an entry of found'))])),
      until: Math.min(...found.map((reply) => required(reply, 'a reply').until ?? Infinity)),
    }
  }

  async function draw(page: Page & { user: User }): Promise<{ body: Buffer; isGzip: boolean } | null> {
    const drawer = await loading
    const plan = drawer?.planOf(page.url)
    if (!drawer || !plan || limiter.take(`view ${page.user.id}`, VIEWS) > 0) return null
    const caller: Caller = { ...page, isProven: async () => false, isWorking: async () => false }
    const now = Date.now()
    const look: Look = { zone: zoneOf(page), currency: await currencyOf(page, caller) }
    const { replies: own } = required(
      await readAll(
        plan.reads.filter((path) => !channelsOf(path)),
        caller,
      ),
      'the replies',
    )
    const [user] = readReply(required(own[USER], 'an entry of own')) as [CurrentUser]
    const [cart] = readReply(required(own[CART], 'an entry of own')) as [CartItem[]]

    const compose = async (replies: Replies, asSent: (html: string) => Segments): Promise<View | null> => {
      const shared = await readAll(plan.reads.filter(channelsOf), caller)
      if (!shared) return null
      const html = drawer.draw({
        address: plan.address,
        replies: mapValues({ ...shared.replies, ...replies }, readReply),
        currency: look.currency,
        drawn: { now, zone: look.zone, htmlData },
      })
      const data = inPage('shared', writeReplies(shared.replies))
      return { segments: asSent(`${html}</div>${data}`), ids: new Set(data.match(UUIDS)), until: shared.until }
    }

    const findView = async (): Promise<View | null> => {
      const isShown = ([path, text]: [string, string]) => path !== USER && path !== CART && !isEmpty(text)
      if (Object.entries(own).some(isShown)) return compose(own, forOne)
      const lines = cart.slice(0, 2).map(() => ({}))
      const standIn = { ...own, [USER]: JSON.stringify([mask(user)]), [CART]: JSON.stringify([lines]) }
      // Caches a page only if a public read proves its id. Invented ids and filters must not fill the memory.
      const isKept = !plan.address.includes('?') && (!plan.id || plan.reads.some(channelsOf))
      if (!isKept) return compose(standIn, (html) => forMany(html, QUICK))
      const key = JSON.stringify([plan.address, look, standIn])
      const changedBy = plan.reads.flatMap((path) => channelsOf(path) ?? [])
      const view = await cache.get(key, changedBy, () => compose(standIn, forMany))
      return view?.ids.has(user.id) ? compose(own, forOne) : view
    }

    const view = await findView()
    if (!view) return null
    const { clock, greeting } = drawer.timesIn(look.zone, now, user.firstName)
    const values = {
      CLOCK: clock,
      GREETING: escapeHtml(greeting),
      COUNT: String(cart.length),
      OWN: inPage('own', `${JSON.stringify({ now, ...look }).slice(0, -1)},"replies":${writeReplies(own)}}`),
    }
    const [head, foot] = drawer.documentOf(plan.file)
    const isGzip = accepts(page.header('accept-encoding'), 'gzip')
    return { body: join([head, ...view.segments, foot], values, isGzip), isGzip }
  }

  /** Returns the currency in the browser's cookie with the rate of the shop. */
  async function currencyOf(page: Page, caller: Caller): Promise<Currency> {
    const code = cookieOf(page, CURRENCY_COOKIE)
    if (code === USD.code || !CURRENCIES.includes(code)) return USD
    const { json } = required(await read(RATES, caller), 'the reply')
    return pickCurrency(code, (JSON.parse(json) as Rates).rates)
  }

  return async (page: Page & { user: User }) => {
    try {
      return await draw(page)
    } catch (error) {
      if (error instanceof Failure && isRefusal(error)) return null
      log.error('a page could not be drawn; the browser draws it', { error, url: loggedPath(page.url) })
      return null
    }
  }
}

const OWN = { value: 'OWN' }

const forMany = (html: string, level?: number): Segments => {
  const slotted = html
    .replace(CLOCK, (_, start: string) => start + slot('CLOCK'))
    .replace(GREETING, (_, start: string) => start + slot('GREETING'))
    .replace(CART_COUNT, (_, start: string, end: string) => start + slot('COUNT') + end + slot('COUNT'))
  return [...cutAt(slotted, SLOT, level), OWN]
}

const forOne = (html: string): Segments => [partOf(html, QUICK), OWN]

const PERSONAL = new Set<string>([
  'id',
  'email',
  'firstName',
  'lastName',
  'profileImageUrl',
  'createdAt',
] satisfies (keyof CurrentUser)[])

/** Removes data that identifies a member. The rest is part of the cache key, so a page can depend on it. */
const mask = (user: CurrentUser) => Object.fromEntries(Object.entries(user).filter(([name]) => !PERSONAL.has(name)))

function writeReply({ json, headers }: ReadReply): string {
  const list = [headers['x-total-count'], headers.link]
  return list.some(Boolean) ? `[${json},${JSON.stringify(list).slice(1)}` : `[${json}]`
}

const mapValues = <A, B>(given: Record<string, A>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key, change(value)]))

const readReply = (text: string) => JSON.parse(text) as SentReply

const writeReplies = (replies: Replies) =>
  `{${Object.entries(replies)
    .map(([path, text]) => `${JSON.stringify(path)}:${text}`)
    .join()}}`

const isEmpty = (reply: string) => /^\[\[\]/.test(reply)

const inPage = (id: string, json: string) =>
  `<script type="application/json" id="${id}">${json.replaceAll('<', '\\u003c')}</script>`

/** Reads a cookie that the page's script set. */
function cookieOf({ header }: Page, name: RegExp): string {
  const [, text = ''] = name.exec(header('cookie') ?? '') ?? []
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

const CURRENCY_COOKIE = /(?:^|; )currency=([^;]{1,200})/
// After the name, the cookie contains offsets for the browser.
const ZONE_COOKIE = /(?:^|; )zone=([^;~]{1,200})/
const ZONES = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])

/** Returns the canonical name of the zone, for the cache key. */
function zoneOf(page: Page): string {
  const given = cookieOf(page, ZONE_COOKIE)
  if (ZONES.has(given)) return given
  // Avoids an exception, which would be slow.
  if (given === '') return 'UTC'
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions()
    return ZONES.has(timeZone) ? timeZone : 'UTC'
  } catch {
    return 'UTC'
  }
}

/** Reads the data attributes of the html element. */
const readHtmlData = (shell: string) =>
  Object.fromEntries(
    [.../<html[^>]*>/.exec(shell)![0].matchAll(/data-([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [
      required(name, 'a name').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      required(value, 'a value').replace(/&(#39|amp|lt|gt|quot);/g, (_, entity: keyof typeof CHARS) => CHARS[entity]),
    ]),
  )
const CHARS = { '#39': "'", amp: '&', lt: '<', gt: '>', quot: '"' }

/** The HTML before and after the rendered page: styles come first, scripts last. */
function openDocuments(files: Bundle['PAGE_FILES'], shell: string, styleOf: (path: string) => string) {
  const styleSheets = new Map(Object.values(files).flatMap(({ styles }) => styles.map((path) => [path, styleOf(path)])))
  const documents = new Map<string, [Part, Part]>()
  const STYLE = /<link rel="stylesheet"[^>]*>\n?/
  const SCRIPTS = /<(?:script type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?\n?/g

  return (page: string): [Part, Part] => {
    const known = documents.get(page)
    if (known) return known
    const { scripts, styles } = required(files[page], 'an entry of files')
    const css = styles.map((path) => styleSheets.get(path)).join('')
    const loads = [...shell.matchAll(SCRIPTS)].map(([tag]) => tag.trim())
    const ahead = scripts.map((file) => `<link rel="modulepreload" crossorigin href="${file}">`)
    const [head, body] = shell
      .replace(SCRIPTS, '')
      .replace(STYLE, () => `<style>${css}</style>`)
      .split(/(?<=<div id="root">)[\s\S]*?<\/div>\s*<\/div>/) as [string, string]
    const end = body.replace('</body>', `${loads.join('')}${ahead.join('')}</body>`)
    const parts: [Part, Part] = [partOf(head), partOf(end)]
    documents.set(page, parts)
    return parts
  }
}

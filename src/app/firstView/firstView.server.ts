import { join as joinPath } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CartItem } from '../../cart/cart.contract.ts'
import type { CurrentUser } from '../../identity/identity.contract.ts'
import { Failure, isRefusal } from '../../kit/failure.ts'
import type { Caller, Page, User } from '../../kit/handle.server.ts'
import { escapeHtml } from '../../kit/html.server.ts'
import { log } from '../../kit/log/log.server.ts'
import type { ByteCache, Bytes } from '../../kit/serve/cache.server.ts'
import type { Limit, Limiter } from '../../kit/serve/limit.server.ts'
import type { Reader } from '../../kit/serve/reader.server.ts'
import { CURRENCIES, pickCurrency } from '../../localisation/currencies.rules.ts'
import { type Currency, USD } from '../../localisation/currency.rules.ts'
import type { Rates } from '../../localisation/localisation.contract.ts'
import { cutAt, join, type Part, partOf, type Segments } from './segments.server.ts'

// Draws a member's page on the server. What is the same for many is drawn once, with slots where a member's values go,
// and kept until its data change. A page that shows more of a member than that is drawn for that member alone.

type Reply = [body: unknown, total?: string | null, link?: string | null]
type Drawn = { now: number; zone: string; facts: Record<string, string> }
/** What the bundle of src/app/firstView/draw.tsx exports; scripts/build.ts adds the last two. */
type Drawer = {
  prepare: () => Promise<unknown>
  planOf: (url: string) => { address: string; id: string; reads: string[]; file: string } | undefined
  timesIn: (zone: string, now: number, firstName: string | null | undefined) => { clock: string; greeting: string }
  draw: (request: { address: string; replies: Record<string, Reply>; currency: Currency; drawn: Drawn }) => string
  BUILD: string
  PAGE_FILES: Record<string, { scripts: string[]; styles: string[] }>
}

const USER = '/api/auth/user'
const CART = '/api/cart'
const RATES = '/api/localisation/rates'
/** No text of a member or seller can contain it. */
const MARK = `slot-${crypto.randomUUID()}-`
const SLOT = new RegExp(`${MARK}([A-Z]+);`)
const slot = (name: string) => `${MARK}${name};`
const CLOCK = /(<span data-clock="[^"]*">)[^<]*/
const GREETING = /(<p data-greeting="[^"]*">)[^<]*/
/** Drawing keeps the processor from everyone else, so above this the browser draws. */
const VIEWS: Limit = { per: 'account', count: 30, seconds: 30 }

export type FirstView = ReturnType<typeof createFirstView>

/** Loads at once all that drawing needs, so that a later build does not reach a running server. */
export function createFirstView({
  distDir,
  shell,
  styleOf,
  reader: { read, channelsOf, channels },
  cache,
  limiter,
}: {
  distDir: string
  /** The page without a first view. */
  shell: string
  /** The text of a built style sheet. */
  styleOf: (path: string) => string
  reader: Reader
  /** A cache for drawings only. */
  cache: ByteCache
  limiter: Limiter
}) {
  const facts = readFacts(shell)
  const cut = new WeakMap<Bytes, Segments>()
  const loading = load().catch((error: unknown) => {
    log.error('pages cannot be drawn; the browser draws them', { error })
    return null
  })

  async function load() {
    const drawer = (await import(pathToFileURL(joinPath(distDir, '.draw.mjs')).href)) as Drawer
    if (drawer.BUILD !== facts.build) throw new Error(`the page is of build ${facts.build}, not ${drawer.BUILD}`)
    await Promise.all([drawer.prepare(), cache.watch(channels)])
    return { ...drawer, documentOf: openDocuments(drawer.PAGE_FILES, shell, styleOf) }
  }

  /** The page for its member, or null for one that is not drawn. */
  async function draw(page: Page & { user: User }): Promise<{ body: Buffer; isGzip: boolean } | null> {
    const drawer = await loading
    const plan = drawer?.planOf(page.url)
    if (!drawer || !plan || limiter.take(`view ${page.user.id}`, VIEWS) > 0) return null
    const caller: Caller = { ...page, isProven: async () => false, isWorking: async () => false }
    const now = Date.now()
    const common = { zone: zoneOf(page), currency: await currencyOf(page, caller) }
    const readAll = async (paths: string[]) => {
      const found = await Promise.all(paths.map((path) => read(path, caller)))
      if (found.includes(null)) return null
      return {
        replies: Object.fromEntries(paths.map((path, i) => [path, replyOf(found[i]!)])),
        until: Math.min(...found.map((reply) => reply!.until ?? Infinity)),
      }
    }
    const compose = async (own: Record<string, Reply>) => {
      const shared = await readAll(plan.reads.filter(channelsOf))
      if (!shared) return null
      const html = drawer.draw({
        address: plan.address,
        replies: { ...shared.replies, ...own },
        currency: common.currency,
        drawn: { now, zone: common.zone, facts },
      })
      const root = html
        .replace(CLOCK, (_, start: string) => start + slot('CLOCK'))
        .replace(GREETING, (_, start: string) => start + slot('GREETING'))
      return { json: `${root}</div>${inPage('shared', shared.replies)}${slot('OWN')}`, until: shared.until }
    }

    const { replies: own } = (await readAll(plan.reads.filter((path) => !channelsOf(path))))!
    const user = own[USER]![0] as CurrentUser
    const { clock, greeting } = drawer.timesIn(common.zone, now, user.firstName)
    const values = {
      CLOCK: clock,
      GREETING: escapeHtml(greeting),
      OWN: inPage('own', { ...common, now, replies: own }),
    }
    const [head, foot] = drawer.documentOf(plan.file)
    const isGzip = acceptsGzip(page.header('accept-encoding') ?? '')
    // A public read proves that the id exists. Invented ids and filters are not kept, so they fill no memory.
    const isKnown = !plan.address.includes('?') && (!plan.id || plan.reads.some(channelsOf))
    if (isKnown && Object.entries(own).every(([path, [body]]) => isOfFrame(path) || isEmpty(body))) {
      const seen = {
        ...own,
        [USER]: [mask(user)],
        [CART]: [(own[CART]![0] as CartItem[]).map(() => ({}))],
      } as typeof own
      const key = JSON.stringify([plan.address, common, seen])
      const bytes = await cache.get(
        key,
        plan.reads.flatMap((path) => channelsOf(path) ?? []),
        () => compose(seen),
      )
      // a seller sees an own product in another way
      if (bytes && !bytes.plain.includes(user.id)) {
        const segments = cut.get(bytes) ?? cutAt(bytes.plain.toString(), SLOT)
        cut.set(bytes, segments)
        return { body: join([head, ...segments, foot], values, isGzip), isGzip }
      }
      if (!bytes) return null
    }
    const text = await compose(own)
    return text && { body: join([head, ...cutAt(text.json, SLOT, 1), foot], values, isGzip), isGzip }
  }

  /** The shop's own rate of the currency that the browser names. */
  async function currencyOf(page: Page, caller: Caller): Promise<Currency> {
    const code = cookieOf(page, 'currency')
    if (code === USD.code || !CURRENCIES.includes(code)) return USD
    const { json } = (await read(RATES, caller))!
    return pickCurrency(code, (JSON.parse(json) as Rates).rates)
  }

  return async (page: Page & { user: User }) => {
    try {
      return await draw(page)
    } catch (error) {
      if (error instanceof Failure && isRefusal(error)) return null
      log.error('a page could not be drawn; the browser draws it', { error, url: page.url.split('?')[0] })
      return null
    }
  }
}

const isOfFrame = (path: string) => path === USER || path === CART
const isEmpty = (body: unknown) => Array.isArray(body) && body.length === 0

/** Pages for many may show no more of a member. */
const mask = ({ role, isAdmin, isNewShopper }: CurrentUser) => ({ role, isAdmin, isNewShopper })

function replyOf({ json, headers }: { json: string; headers: Record<string, string | string[]> }): Reply {
  const list = [headers['x-total-count'], headers.link] as [string?, string?]
  return list.some(Boolean) ? [JSON.parse(json), ...list] : [JSON.parse(json)]
}

/** JSON that cannot end the element that holds it. */
const inPage = (id: string, data: object) =>
  `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`

/** A cookie of the page's script, not of a session. */
function cookieOf({ header }: Page, name: string): string {
  const found = new RegExp(`(?:^|; )${name}=([^;]{1,200})`).exec(header('cookie') ?? '')
  try {
    return decodeURIComponent(found?.[1] ?? '')
  } catch {
    return ''
  }
}

const ZONES = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])

/** One spelling of each zone. */
function zoneOf(page: Page): string {
  const given = cookieOf(page, 'zone')
  if (ZONES.has(given)) return given
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions()
    return ZONES.has(timeZone) ? timeZone : 'UTC'
  } catch {
    return 'UTC'
  }
}

const acceptsGzip = (accepted: string) => /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted)

/** What the script reads from the html element. */
const readFacts = (shell: string) =>
  Object.fromEntries(
    [.../<html[^>]*>/.exec(shell)![0].matchAll(/data-([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [
      name!.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value!.replace(/&(#39|amp|lt|gt|quot);/g, (_, entity: keyof typeof CHARS) => CHARS[entity]),
    ]),
  )
const CHARS = { '#39': "'", amp: '&', lt: '<', gt: '>', quot: '"' }

/** The HTML before and after the drawing: the styles are in the page, and the scripts come after the drawing. */
function openDocuments(files: Drawer['PAGE_FILES'], shell: string, styleOf: (path: string) => string) {
  const styleSheets = new Map(Object.values(files).flatMap(({ styles }) => styles.map((path) => [path, styleOf(path)])))
  const documents = new Map<string, [Part, Part]>()
  const STYLE = /<link rel="stylesheet"[^>]*>\n?/
  const SCRIPTS = /<(?:script type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?\n?/g

  return (page: string): [Part, Part] => {
    const known = documents.get(page)
    if (known) return known
    const { scripts, styles } = files[page]!
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

import { readFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { CartItem } from '../../cart/cart.contract.ts'
import type { CurrentUser } from '../../identity/identity.contract.ts'
import type { Caller, Page, User } from '../../kit/handle.server.ts'
import { escapeHtml } from '../../kit/html.server.ts'
import { log } from '../../kit/log/log.server.ts'
import type { Asking } from '../../kit/serve/ask.server.ts'
import type { ByteCache, Bytes } from '../../kit/serve/cache.server.ts'
import { type Currency, USD } from '../../localisation/currency.rules.ts'
import { cutAt, join, type Part, partOf, type Segments } from './segments.server.ts'

// Draws a member's page on the server. What is the same for many is drawn once, with slots where a member's values go,
// and kept until its data change. A page that shows more of a member than that is drawn for that member alone.

type Reply = [body: unknown, total?: string | null, link?: string | null]
type Drawn = { now: number; zone: string; facts: Record<string, string> }
/** What the bundle of src/app/firstView/draw.tsx exports. */
type Drawer = {
  prepare: () => Promise<unknown>
  planOf: (path: string) => { reads: string[]; file: string } | undefined
  clockIn: (zone: string, now: number) => { isKnown: boolean; hour: number; clock: string }
  draw: (asked: { url: string; replies: Record<string, Reply>; currency: Currency; drawn: Drawn }) => string
}
type Files = Record<string, { scripts: string[]; styles: string[] }>

const USER = '/api/auth/user'
const CART = '/api/cart'
/** No text of a member or seller can contain it. */
const MARK = `slot-${crypto.randomUUID()}-`
const SLOT = new RegExp(`${MARK}([A-Z]+);`)
const slot = (name: string) => `${MARK}${name};`
const CLOCK = /(<span data-clock="[^"]*">)[^<]*/

const CurrencyCookie = z.strictObject({
  code: z.string().regex(/^[A-Z]{3}$/),
  symbol: z.string().min(1).max(6),
  rate: z.number().positive().max(1e6),
})

export type FirstView = ReturnType<typeof createFirstView>

export function createFirstView({
  distDir,
  shell,
  asking: { ask, channelsOf },
  cache,
}: {
  distDir: string
  /** The page without a first view. */
  shell: string
  asking: Asking
  cache: ByteCache
}) {
  const facts = readFacts(shell)
  let loading: Promise<Drawer & { documentOf: ReturnType<typeof openDocuments> }> | undefined
  const cuts = new WeakMap<Bytes, Segments>()

  async function load() {
    const drawer = (await import(pathToFileURL(joinPath(distDir, '.draw.mjs')).href)) as Drawer
    await drawer.prepare()
    return { ...drawer, documentOf: openDocuments(distDir, shell) }
  }

  /** The page for its member, or null for one that is not drawn. */
  async function draw(page: Page & { user: User }): Promise<{ body: Buffer; isGzip: boolean } | null> {
    const drawer = await (loading ??= load())
    const path = page.url.split('?')[0]!
    const plan = drawer.planOf(path)
    if (!plan) return null
    const caller: Caller = { ...page, isProven: async () => false, isWorking: async () => false }
    const now = Date.now()
    const zone = zoneOf(page)
    const { isKnown, hour, clock } = drawer.clockIn(zone, now)
    const common = { zone: isKnown ? zone : 'UTC', currency: currencyOf(page) }
    const read = async (paths: string[]) => {
      const told = await Promise.all(paths.map((one) => ask(one, caller)))
      return told.includes(null) ? null : Object.fromEntries(paths.map((one, i) => [one, replyOf(told[i]!)]))
    }
    const compose = async (own: Record<string, Reply>) => {
      const shared = await read(plan.reads.filter(channelsOf))
      if (!shared) return null
      const drawn = { now, zone: common.zone, facts }
      const html = drawer.draw({ url: page.url, replies: { ...shared, ...own }, currency: common.currency, drawn })
      const root = html.replace(CLOCK, (_, start: string) => start + slot('CLOCK'))
      return { json: `${root}</div>${inPage('shared', shared)}${slot('OWN')}` }
    }

    const own = (await read(plan.reads.filter((one) => !channelsOf(one))))!
    const user = own[USER]![0] as CurrentUser
    const values = {
      NAME: escapeHtml(user.firstName ?? ''),
      CLOCK: clock,
      OWN: inPage('own', { ...common, now, replies: own }),
    }
    const [head, foot] = drawer.documentOf(plan.file)
    const isGzip = /\bgzip\b/.test(page.header('accept-encoding') ?? '')
    const isShared = page.url === path && Object.entries(own).every(([one, [body]]) => isOfFrame(one) || isEmpty(body))
    if (isShared) {
      const seen = {
        ...own,
        [USER]: [mask(user)],
        [CART]: [(own[CART]![0] as CartItem[]).map(() => ({}))],
      } as typeof own
      const key = JSON.stringify(['view', path, common, hour, seen])
      const channels = [...new Set(plan.reads.flatMap((one) => channelsOf(one) ?? []))]
      const bytes = await cache.get(key, channels, () => compose(seen))
      // a seller sees an own product in another way
      if (bytes && !bytes.plain.includes(user.id)) {
        const segments = cuts.get(bytes) ?? cutAt(bytes.plain.toString(), SLOT)
        cuts.set(bytes, segments)
        return { body: join([head, ...segments, foot], values, isGzip), isGzip }
      }
      if (!bytes) return null
    }
    const text = await compose(own)
    return text && { body: join([head, ...cutAt(text.json, SLOT, 1), foot], values, isGzip), isGzip }
  }

  return async (page: Page & { user: User }) => {
    try {
      return await draw(page)
    } catch (error) {
      log.error('a page could not be drawn; the browser draws it', { error, url: page.url.split('?')[0] })
      return null
    }
  }
}

const isOfFrame = (path: string) => path === USER || path === CART
const isEmpty = (body: unknown) => Array.isArray(body) && body.length === 0

/** What pages for many may show of a member. */
const mask = ({ firstName, role, isAdmin, isNewShopper }: CurrentUser) => ({
  ...{ role, isAdmin, isNewShopper },
  firstName: firstName && slot('NAME'),
})

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

const zoneOf = (page: Page) => cookieOf(page, 'zone') || 'UTC'

function currencyOf(page: Page): Currency {
  try {
    return CurrencyCookie.parse(JSON.parse(cookieOf(page, 'currency')))
  } catch {
    return USD
  }
}

/** What the script reads from the html element. */
const readFacts = (shell: string) =>
  Object.fromEntries(
    [.../<html[^>]*>/.exec(shell)![0].matchAll(/data-([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [
      name!.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value!.replace(/&(#39|amp|lt|gt|quot);/g, (_, entity: keyof typeof CHARS) => CHARS[entity]),
    ]),
  )
const CHARS = { '#39': "'", amp: '&', lt: '<', gt: '>', quot: '"' }

/** The page around what is drawn: its styles stand in it, and its scripts load after what they take over. */
function openDocuments(distDir: string, shell: string) {
  const files = JSON.parse(readFileSync(joinPath(distDir, '.views.json'), 'utf8')) as Files
  const known = new Map<string, [Part, Part]>()
  const STYLE = /<link rel="stylesheet"[^>]*>\n?/
  const SCRIPTS = /<(?:script type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?\n?/g

  return (script: string): [Part, Part] => {
    const before = known.get(script)
    if (before) return before
    const { scripts, styles } = files[script]!
    const css = styles.map((file) => readFileSync(joinPath(distDir, file), 'utf8')).join('')
    const loads = [...shell.matchAll(SCRIPTS)].map(([tag]) => tag.trim())
    const ahead = scripts.map((file) => `<link rel="modulepreload" crossorigin href="${file}">`)
    const [head, body] = shell
      .replace(SCRIPTS, '')
      .replace(STYLE, () => `<style>${css}</style>`)
      .split(/(?<=<div id="root">)[\s\S]*?<\/div>\s*<\/div>/) as [string, string]
    const end = body.replace('</body>', `${loads.join('')}${ahead.join('')}</body>`)
    const parts: [Part, Part] = [partOf(head), partOf(end)]
    known.set(script, parts)
    return parts
  }
}

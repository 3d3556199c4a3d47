import type pg from 'pg'
import { readShared, readShowcase, type Shared, type Shown } from '../../catalogue/preview.server.ts'
import { type ByteCache, type Bytes, encode, pack } from '../../kit/serve/cache.server.ts'
import { type Limit, type Limiter, networkOf } from '../../kit/serve/limit.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import type { Asset } from '../serving/assets.server.ts'
import { asSecond, fanHtml, headHtml, sentHtml } from './landing.pages.server.ts'

const TAGLINE = 'Your Number One Digital Hub'
const ABOUT =
  'Gift cards, crypto, prepaid Visa cards, e-books, courses, software and audio, delivered within seconds of most payments.'
const CHANNELS = ['catalogue', 'reviews']
// each link that is not in memory costs statements, and a stranger can make up links; crawlers stay below it
const LINKS: Limit = { per: 'address', count: 300, seconds: 60 }
const HTML = 'text/html; charset=utf-8'
const COUNT_BLOCK = /<p class="deck__figure">(?:(?!<\/p>).)*%COUNT%.*?<\/p>/s

type Filling = { count?: number; products?: Shown[]; shared?: Shared }

/** Fills the built landing page with products for sale, and with the product of a shared link. */
export function createLanding({
  cache,
  limiter,
  pool,
  publicUrl,
  storeName,
}: {
  cache: ByteCache
  limiter: Limiter
  pool: pg.Pool
  publicUrl: string
  storeName: string
}) {
  const about = { storeName, publicUrl, tagline: TAGLINE, about: ABOUT }

  return (template: string) => {
    const fill = ({ count = 0, products = [], shared }: Filling) => {
      const parts = {
        COUNT: count.toLocaleString('en-US'),
        HEAD: headHtml(about, shared).html,
        SENT: shared ? sentHtml(shared).html : '',
        FAN: fanHtml(products).html,
        YEAR: String(new Date().getFullYear()),
      }
      return (
        (shared ? asSecond(template) : template)
          .replace(count > 0 ? '' : COUNT_BLOCK, '')
          // in one pass, because a title may contain a placeholder
          .replace(/%(COUNT|HEAD|SENT|FAN|YEAR)%/g, (_, name: keyof typeof parts) => parts[name])
      )
    }
    // without products, for the time when the database is away
    const bare = encode({ json: fill({}) })

    const fillShared = async (id: string, ip: string) => {
      if (limiter.take(`landing:${networkOf(ip)}`, LINKS) > 0) return null
      const shared = await readShared(pool, id)
      return shared && { json: fill({ shared }) }
    }
    const bytesOf = async (path: string, ip: string): Promise<Bytes> => {
      const id = /^\/product\/([^/]+)\/?$/.exec(path)?.[1] ?? ''
      try {
        const bytes = isUuid(id) && (await cache.get(`landing ${id}`, CHANNELS, () => fillShared(id, ip)))
        // there is one for each product, so it is not worth the slowest compression
        if (bytes) pack(bytes, 'br')
        return bytes || (await cache.get('landing', CHANNELS, async () => ({ json: fill(await readShowcase(pool)) })))!
      } catch {
        return bare
      }
    }
    // the cached object itself, so that its compressed form stays with it
    return async (path: string, ip: string): Promise<Asset> => Object.assign(await bytesOf(path, ip), { type: HTML })
  }
}

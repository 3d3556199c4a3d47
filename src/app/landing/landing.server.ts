import type pg from 'pg'
import { readShared, readShowcase, type Shared, type Shown } from '../../catalogue/preview.server.ts'
import { type ByteCache, type Bytes, encode, pack } from '../../kit/serve/cache.server.ts'
import type { Asset } from '../serving/assets.server.ts'
import { asSecond, fanHtml, headHtml, sentHtml } from './landing.pages.server.ts'

const TAGLINE = 'Your Number One Digital Hub'
const ABOUT = 'Gift cards, crypto, prepaid Visa cards, e-books, courses, software and audio, delivered at once.'
const HTML = 'text/html; charset=utf-8'
const COUNT_BLOCK = /<p class="deck__figure">(?:(?!<\/p>).)*%COUNT%.*?<\/p>/s

type Filling = { count?: number; products?: Shown[]; shared?: Shared }

/** Fills the built landing page with products for sale, and with the product of a shared link. */
export function createLanding({
  cache,
  pool,
  publicUrl,
  storeName,
}: {
  cache: ByteCache
  pool: pg.Pool
  publicUrl: string
  storeName: string
}) {
  const about = { storeName, publicUrl, tagline: TAGLINE, about: ABOUT }

  return (template: string) => {
    const fill = ({ count = 0, products = [], shared }: Filling) =>
      (shared ? asSecond(template) : template)
        .replace(count > 0 ? '' : COUNT_BLOCK, '')
        .replace('%COUNT%', count.toLocaleString('en-US'))
        .replace('%HEAD%', () => headHtml(about, shared).html)
        .replace('%SENT%', () => (shared ? sentHtml(shared).html : ''))
        .replace('%FAN%', () => fanHtml(products).html)
    // without products, for the time when the database is away
    const bare = encode({ json: fill({}) })

    const bytesOf = async (path: string): Promise<Bytes> => {
      const id = /^\/product\/([^/]+)\/?$/.exec(path)?.[1]
      try {
        const shared = id ? await readShared(pool, id) : null
        if (!shared)
          return (await cache.get('landing', ['catalogue'], async () => ({ json: fill(await readShowcase(pool)) })))!
        const bytes = encode({ json: fill({ shared }) })
        // one visitor reads it, so it is not worth the slowest compression
        pack(bytes, 'br')
        return bytes
      } catch {
        return bare
      }
    }
    // the cached object itself, so that its compressed form stays with it
    return async (path: string): Promise<Asset> => Object.assign(await bytesOf(path), { type: HTML })
  }
}

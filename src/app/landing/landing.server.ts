import type pg from 'pg'
import { readShared, readShowcase, type ShownPreview } from '../../catalogue/preview.server.ts'
import { readShownGift } from '../../delivery/gifts/shownGift.store.server.ts'
import { type ByteCache, type Bytes, encode, pack } from '../../kit/serve/cache.server.ts'
import { type Limit, type Limiter, networkOf } from '../../kit/serve/limit.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { plural } from '../../localisation/plural.rules.ts'
import type { Asset } from '../serving/assets.server.ts'
import { readSharedSeller } from '../../selling/storefront/preview.server.ts'
import {
  fanHtml,
  giftLink,
  headHtml,
  type LinkOptions,
  lookHtml,
  productLink,
  sellerLink,
  type SharedLink,
} from './landing.pages.server.ts'

const TAGLINE = 'Your Number One Digital Hub'
const ABOUT =
  'Gift cards, crypto, prepaid Visa cards, e-books, courses, software and audio, delivered within seconds of most payments.'
const CHANNELS = ['catalogue', 'reviews']
// An uncached link costs statements, and anyone can invent links. Crawlers stay below this limit.
const LINKS: Limit = { per: 'address', count: 300, seconds: 60 }
// The id of a product, or the address of a seller.
const LINK = /^\/(product|seller)\/([\w-]{3,36})\/?$/
/** A gift link grants goods, so its page is never cached. */
const GIFT = /^\/gift\/([\w-]{32})\/?$/
const HTML = 'text/html; charset=utf-8'
const COUNT_BLOCK = '<p>%COUNT%</p>'

type Filling = { count?: number; products?: ShownPreview[]; link?: SharedLink }

export function createLanding({
  cache,
  hasSignUp,
  limiter,
  pool,
  publicUrl,
  storeName,
}: LinkOptions & {
  cache: ByteCache
  limiter: Limiter
  pool: pg.Pool
  publicUrl: string
  storeName: string
}) {
  const about = { storeName, publicUrl, tagline: TAGLINE, about: ABOUT }

  return (template: string) => {
    const fill = ({ count = 0, products = [], link }: Filling) => {
      const parts = {
        COUNT: plural(count, 'product'),
        HEAD: headHtml(about, link ?? null).html,
        SENT: link?.sent.html ?? '',
        FAN: fanHtml(products).html,
        LOOK: lookHtml(products).html,
        YEAR: String(new Date().getFullYear()),
      }
      return (
        (link ? asSecond(template) : template)
          .replace(count > 0 ? '' : COUNT_BLOCK, '')
          // One pass, because a title may contain a placeholder.
          .replace(/%(COUNT|HEAD|SENT|FAN|LOOK|YEAR)%/g, (_, name: keyof typeof parts) => parts[name])
      )
    }
    // The page without products, for database outages.
    const bare = encode({ json: fill({}) })

    const readLink = async (kind: string, id: string): Promise<SharedLink | null> => {
      if (kind === 'seller') {
        const seller = await readSharedSeller(pool, id)
        return seller && sellerLink(seller)
      }
      const product = await readShared(pool, id)
      return product && productLink(product, { hasSignUp })
    }
    const fillLink = async (kind: string, id: string, ip: string) => {
      if (limiter.take(`landing:${networkOf(ip)}`, LINKS) > 0) return null
      const link = await readLink(kind, id)
      return link && { json: fill({ link }) }
    }
    const fillGift = async (token: string, ip: string): Promise<Bytes | null> => {
      if (limiter.take(`landing:${networkOf(ip)}`, LINKS) > 0) return null
      const gift = await readShownGift(pool, token, null)
      return gift && encode({ json: fill({ link: giftLink({ ...gift, path: `/gift/${token}` }) }) })
    }
    const bytesOf = async (path: string, ip: string): Promise<Bytes> => {
      const [, token] = GIFT.exec(path) ?? []
      const [, kind = '', id = ''] = LINK.exec(path) ?? []
      try {
        const gift = token && (await fillGift(token, ip))
        if (gift) return gift
        const isLink = kind === 'seller' || isUuid(id)
        const bytes = isLink && (await cache.get(`landing ${kind} ${id}`, CHANNELS, () => fillLink(kind, id, ip)))
        // Compresses quickly, because each product has a page.
        if (bytes) pack(bytes, 'br')
        return bytes || (await cache.get('landing', CHANNELS, async () => ({ json: fill(await readShowcase(pool)) })))!
      } catch {
        return bare
      }
    }
    // Returns the cached object itself, so that it retains its compressed form.
    return async (path: string, ip: string): Promise<Asset> => Object.assign(await bytesOf(path, ip), { type: HTML })
  }
}

/** The pitch below a shared link, which has the first heading and the main button. */
const asSecond = (template: string) =>
  template
    .replace(/<h1>(.*?)<\/h1>/, '<h2>$1</h2>')
    .replace('class="pitch"', 'class="pitch pitch--next"')
    .replace('class="btn btn--primary btn--lg"', 'class="btn btn--line btn--lg"')

import type pg from 'pg'
import { type Answer, handleRaw, type Route } from '../kit/handle.server.ts'
import type { ByteCache } from '../kit/serve/cache.server.ts'
import { COMMON } from '../kit/serve/headers.server.ts'
import { isUuid } from '../kit/uuid.ts'
import { drawJpeg, readJpeg } from '../uploads/images/images.server.ts'
import type { Storage } from '../uploads/storage.server.ts'
import type { ProductDetail } from './catalogue.contract.ts'
import { readProduct } from './catalogue.server.ts'
import { coverSvg } from './covers/cover.pages.server.ts'
import { plainOf } from './markdown.rules.ts'
import * as statements from './product.statements.server.ts'
import { only } from '../kit/values/required.ts'

// Products outside the app: on the landing page and in link previews.

export type ShownPreview = {
  id: string
  title: string
  categoryId: string
  category: string
  priceCents: number
  hasChoice: boolean
  imageUrl: string | null
}
export type Shared = ProductDetail & { category: string }

/** The size of pictures in social networks. */
export const PREVIEW = { width: 1200, height: 630 }
export const previewPath = (id: string) => `/images/preview/${id}.jpg`

/** Reads the listed product of a shared link; null for any other. */
export async function readShared(pool: pg.Pool, id: string): Promise<Shared | null> {
  const found = isUuid(id) && (await readProduct(pool, id))
  if (!found) return null
  const product = JSON.parse(found.json) as ProductDetail
  const category = only(await statements.readCategoryName(pool, { id: product.categoryId }))
  const description = product.description && plainOf(product.description)
  return { ...product, description, category: category.name }
}

/** The number of products on the landing page. */
const SHOWN = 6

/** Reads the number of listed products, and the first products of each category. */
export async function readShowcase(pool: pg.Pool): Promise<{ count: number; products: ShownPreview[] }> {
  const [listed, products] = await Promise.all([
    statements.countListed(pool, {}),
    statements.readShowcase(pool, { count: SHOWN }),
  ])
  return { count: only(listed).count, products }
}

/** The picture of a link preview. JPEG, because some networks cannot show WebP. */
export const previewRoute = (storage: Storage): Route =>
  pictureRoute(storage, {
    line: 'GET /images/preview/:file',
    of: 'a product',
    read: readShared,
    show: (product) => ({
      key: [product.id, product.imageUrl, product.categoryId, product.title],
      imageUrl: product.imageUrl,
      draw: () => coverSvg(product, PREVIEW),
    }),
  })

export const coverPath = (id: string) => `/images/covers/${id}.svg`
const COVER = { width: 640, height: 480 }

/** The printed cover of a product, for pages that do not draw covers. The browser caches it for an hour. */
export const coverRoute = (cache: ByteCache): Route =>
  handleRaw(
    'GET /images/covers/:file',
    {
      access: 'public',
      about: 'The printed cover of a product as SVG.',
      knowsCaller: false,
      limits: [{ per: 'address', count: 300, seconds: 60 }],
    },
    async ({ params, pool }): Promise<Answer> => {
      const id = params.file.replace(/\.svg$/, '')
      const cover = await cache.get(`cover ${id}`, ['catalogue'], async () => {
        const product = await readShared(pool, id)
        return product && { json: coverSvg(product, COVER) }
      })
      if (!cover) return { status: 404, headers: COMMON, body: 'Not found' }
      const headers = {
        'content-type': 'image/svg+xml',
        'cache-control': 'public, max-age=3600',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      }
      return { status: 200, headers: { ...COMMON, ...headers }, body: cover.plain }
    },
  )

const MAX_KEPT = 100

/** The picture of a link preview: an upload or a drawing. A new `key` creates it again. */
type Picture = { key: (string | null)[]; imageUrl: string | null; draw: () => string }
type Pictures<T> = {
  line: `GET /${string}/:file`
  of: string
  read: (pool: pg.Pool, name: string) => Promise<T | null>
  show: (shown: T) => Picture
}

/** Serves and caches the pictures of link previews. */
export function pictureRoute<T>(storage: Storage, { line, of, read, show }: Pictures<T>): Route {
  const kept = new Map<string, Promise<Buffer>>()
  const paint = ({ imageUrl, draw }: Picture): Promise<Buffer> => {
    const [, upload] = /^\/images\/([^/]+)\//.exec(imageUrl ?? '') ?? []
    return upload ? readJpeg(storage, upload, PREVIEW) : drawJpeg(draw())
  }
  return handleRaw(
    line,
    {
      access: 'public',
      about: `The picture of ${of} for link previews: ${PREVIEW.width} x ${PREVIEW.height} JPEG.`,
      knowsCaller: false,
      limits: [{ per: 'address', count: 60, seconds: 60 }],
    },
    async ({ params, pool }): Promise<Answer> => {
      const shown = await read(pool, params.file.replace(/\.jpg$/, ''))
      if (!shown) return { status: 404, headers: COMMON, body: 'Not found' }
      const picture = show(shown)
      const key = picture.key.join(' ')
      const painted = kept.get(key) ?? paint(picture)
      kept.set(key, painted)
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
      const body = await painted.catch((error: unknown) => {
        kept.delete(key)
        throw error
      })
      const headers = { 'content-type': 'image/jpeg', 'cache-control': 'public, max-age=86400' }
      return { status: 200, headers: { ...COMMON, ...headers, 'cross-origin-resource-policy': 'cross-origin' }, body }
    },
  )
}

import { PREVIEW } from '../../catalogue/preview.server.ts'
import { coverHtml, coverSvg } from '../../catalogue/covers/cover.pages.server.ts'
import { initialsOf } from '../../identity/accounts/user.rules.ts'
import type { Database } from '../../kit/database.server.ts'
import { type Answer, handleRaw, type Route } from '../../kit/handle.server.ts'
import { escapeHtml, type Html, trustedHtml } from '../../kit/html.server.ts'
import { COMMON } from '../../kit/serve/headers.server.ts'
import { drawJpeg, readJpeg } from '../../uploads/images.server.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import type { Seller } from './storefront.contract.ts'
import { namesOf } from './seller.rules.ts'
import { readSeller } from './storefront.store.server.ts'

// A seller outside the app: the preview of a shared link.

export const sellerPreviewPath = (handle: string) => `/images/sellers/${handle}.jpg`

const MOST_KEPT = 50
const HANDLE = /^[a-z0-9-]{3,30}$/i

/** The seller that a shared link names; null for any other. */
export async function readSharedSeller(pool: Database['pool'], handle: string): Promise<Seller | null> {
  const json = HANDLE.test(handle) && (await readSeller(pool, handle.toLowerCase()))
  return json ? (JSON.parse(json) as Seller) : null
}

/** The picture of a seller in link previews: their own, or their initials on a printed ground. */
export function sellerPreviewRoute(storage: Storage): Route {
  const kept = new Map<string, Promise<Buffer>>()
  async function paint(seller: Seller): Promise<Buffer> {
    const [, upload] = /^\/images\/([^/]+)\//.exec(seller.avatarUrl ?? '') ?? []
    return upload ? readJpeg(storage, upload, PREVIEW) : drawJpeg(initialsSvg(seller))
  }
  return handleRaw(
    'GET /images/sellers/:file',
    {
      access: 'public',
      about: `The picture of a seller for link previews: ${PREVIEW.width} x ${PREVIEW.height} JPEG.`,
      knowsCaller: false,
      limits: [{ per: 'address', count: 60, seconds: 60 }],
    },
    async ({ params, pool }): Promise<Answer> => {
      const seller = await readSharedSeller(pool, params.file!.replace(/\.jpg$/, ''))
      if (!seller) return { status: 404, headers: COMMON, body: 'Not found' }
      const key = [seller.id, seller.avatarUrl, seller.name].join(' ')
      const picture = kept.get(key) ?? paint(seller)
      kept.set(key, picture)
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!)
      const body = await picture.catch((error: unknown) => {
        kept.delete(key)
        throw error
      })
      const headers = { 'content-type': 'image/jpeg', 'cache-control': 'public, max-age=86400' }
      return { status: 200, headers: { ...COMMON, ...headers, 'cross-origin-resource-policy': 'cross-origin' }, body }
    },
  )
}

/** The same ground as covers have, on the landing page. */
export const initialsHtml = (seller: Seller): Html =>
  trustedHtml(withInitials(coverHtml(groundOf(seller)).html, seller))

const initialsSvg = (seller: Seller) => withInitials(coverSvg(groundOf(seller), PREVIEW), seller)

const groundOf = ({ id, name }: Seller) => ({ id, categoryId: '', title: name })

const withInitials = (svg: string, { name }: Seller) =>
  svg.replace(
    /<\/svg>$/,
    '<circle class="f0" cx="160" cy="120" r="62"/><circle class="f1" cx="160" cy="120" r="56"/>' +
      `<text class="f0 mid" x="160" y="138" font-size="50">${escapeHtml(initialsOf(namesOf(name)))}</text></svg>`,
  )

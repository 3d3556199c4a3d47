import { pictureRoute, PREVIEW } from '../../catalogue/preview.server.ts'
import { coverHtml, coverSvg } from '../../catalogue/covers/cover.pages.server.ts'
import { initialsOf } from '../../identity/accounts/user.rules.ts'
import type { Database } from '../../kit/database.server.ts'
import type { Route } from '../../kit/handle.server.ts'
import { escapeHtml, type Html, trustedHtml } from '../../kit/html.server.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import type { Seller } from './storefront.contract.ts'
import { namesOf } from './seller.rules.ts'
import { readSeller } from '../../catalogue/sellers/storefront.store.server.ts'

export const sellerPreviewPath = (handle: string) => `/images/sellers/${handle}.jpg`

const HANDLE = /^[a-z0-9-]{3,30}$/i

/** Returns the seller of a shared link, or null for an unknown handle. */
export async function readSharedSeller(pool: Database['pool'], handle: string): Promise<Seller | null> {
  const json = HANDLE.test(handle) && (await readSeller(pool, handle.toLowerCase()))
  return json ? (JSON.parse(json) as Seller) : null
}

/** The picture of the page, else of the profile. */
export const sellerPictureOf = ({ design, avatarUrl }: Seller) => design?.header?.url ?? avatarUrl

/** The picture of a seller in link previews, or the initials on a pattern. */
export const sellerPreviewRoute = (storage: Storage): Route =>
  pictureRoute(storage, {
    line: 'GET /images/sellers/:file',
    of: 'a seller',
    read: readSharedSeller,
    show: (seller) => ({
      key: [seller.id, sellerPictureOf(seller), seller.name],
      imageUrl: sellerPictureOf(seller),
      draw: () => initialsSvg(seller),
    }),
  })

/** The initials on the pattern of product covers, for the landing page. */
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

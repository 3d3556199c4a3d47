import { isUuid } from '../../kit/uuid.ts'

export const PAGE_PATHS = [
  '/',
  '/categories',
  '/product/:id',
  '/seller/:handle',
  '/cart',
  '/checkout/return',
  '/orders',
  '/orders/:id',
  '/library',
  '/gift/:token',
  '/learn/:id',
  '/read/:id',
  '/pay/:id',
  '/settings',
  '/profile',
  '/profile/payments',
  '/wishlist',
  '/selling',
  '/selling/customers',
  '/selling/customers/:id',
  '/selling/more',
  '/selling/page',
  '/my-products',
  '/my-products/:idOrNew',
  '/balance',
  '/balance/:id',
  '/sales/:id',
  '/webhooks',
  '/discounts',
  '/bad-codes',
  '/help',
  '/help/:slug',
  '/admin',
  '/admin/chat',
  '/admin/chat/:userId',
  '/admin/orders',
  '/admin/orders/:id',
  '/admin/members',
  '/admin/members/:id',
  '/admin/categories',
  '/admin/supply',
  '/admin/reports',
  '/admin/reports/:id',
  '/admin/code-cases',
  '/admin/audit',
  '/admin/answers',
  '/admin/risk',
  '/admin/disputes',
  '/admin/disputes/:id',
  '/admin/payouts',
  '/admin/transfers',
  '/admin/errors',
] as const

/** A name without a dot. Some caches decide by file extension, so a member's page must not look like a file. */
const NAME = /^[\w%-]+$/

/** Returns true if a segment of an address matches its place in a path. Ids must be UUIDs. */
const fits = (place: string, segment: string): boolean => {
  if (place === ':id' || place === ':userId') return isUuid(segment)
  if (place === ':idOrNew') return isUuid(segment) || segment === 'new'
  return place.startsWith(':') ? NAME.test(segment) : place === segment
}

export function findPath<Path extends string>(address: string, paths: readonly Path[]): Path | undefined {
  const segments = address.replace(/\/$/, '').split('/')
  return paths.find((path) => {
    const places = path === '/' ? [''] : path.split('/')
    return places.length === segments.length && places.every((place, i) => fits(place, segments[i]!))
  })
}

export const isPagePath = (address: string) => findPath(address, PAGE_PATHS) !== undefined

/** The pages of a member; any other path is the 404 page. */
export const PAGE_PATHS = [
  '/',
  '/categories',
  '/product/:id',
  '/seller/:id',
  '/cart',
  '/orders',
  '/orders/:id',
  '/pay/:id',
  '/settings',
  '/profile',
  '/wishlist',
  '/my-products',
  '/my-products/:id',
  '/balance',
  '/balance/:id',
  '/sales/:id',
  '/webhooks',
  '/discounts',
  '/help',
  '/help/:slug',
  '/admin/chat',
  '/admin/chat/:userId',
  '/admin/orders',
  '/admin/orders/:id',
  '/admin/categories',
  '/admin/reports',
  '/admin/reports/:id',
  '/admin/audit',
  '/admin/risk',
  '/admin/payouts',
  '/admin/transfers',
  '/admin/errors',
] as const

const PATTERNS = PAGE_PATHS.map((path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`))

export const isPagePath = (path: string) => PATTERNS.some((pattern) => pattern.test(path))

import { queryClient, query } from '../../kit/query.client.ts'
import { getProduct } from '../../catalogue/catalogue.contract.ts'
import { shelfQuery } from '../../catalogue/useCatalogue.ts'
import { orderSumsQuery, ordersQuery } from '../../orders/orders.query.client.ts'
import { lazyPage, type LazyPage } from './lazyPage.tsx'
import type { PAGE_PATHS } from './paths.ts'

type Place = {
  path: (typeof PAGE_PATHS)[number]
  Page: LazyPage
  hidesNav?: boolean
  readAhead?: (id: string) => void
}

const HelpPage = lazyPage(() => import('../../assistant/help/HelpPage.tsx').then(({ HelpPage: Page }) => Page))
const AdminChatPage = lazyPage(() => import('../../admin/AdminChatPage.tsx').then(({ AdminChatPage: Page }) => Page))
const OrdersPage = lazyPage(() => import('../pages/OrdersPage.tsx').then(({ OrdersPage: Page }) => Page))

/** The pages of the shop for a signed-in customer, each with what is read ahead when a pointer comes near a link to it. */
export const places: Place[] = [
  { path: '/', Page: lazyPage(() => import('../pages/HomePage.tsx').then(({ HomePage }) => HomePage)) },
  {
    path: '/categories',
    Page: lazyPage(() => import('../pages/CategoriesPage.tsx').then(({ CategoriesPage }) => CategoriesPage)),
    readAhead: () => void queryClient.prefetchQuery(shelfQuery),
  },
  {
    path: '/product/:id',
    Page: lazyPage(() => import('../pages/ProductPage.tsx').then(({ ProductPage }) => ProductPage)),
    readAhead: (id) => void queryClient.prefetchQuery(query(getProduct, { id })),
  },
  {
    path: '/cart',
    Page: lazyPage(() => import('../pages/CartPage.tsx').then(({ CartPage }) => CartPage)),
    readAhead: () => void queryClient.prefetchInfiniteQuery(ordersQuery),
  },
  { path: '/orders', Page: OrdersPage, readAhead: () => void queryClient.prefetchInfiniteQuery(ordersQuery) },
  { path: '/orders/:id', Page: OrdersPage, readAhead: () => void queryClient.prefetchInfiniteQuery(ordersQuery) },
  {
    path: '/settings',
    Page: lazyPage(() => import('../pages/SettingsPage.tsx').then(({ SettingsPage }) => SettingsPage)),
  },
  {
    path: '/profile',
    Page: lazyPage(() => import('../../account/profile/ProfilePage.tsx').then(({ ProfilePage }) => ProfilePage)),
    readAhead: () => void queryClient.prefetchQuery(orderSumsQuery),
  },
  {
    path: '/wishlist',
    Page: lazyPage(() => import('../pages/WishlistPage.tsx').then(({ WishlistPage }) => WishlistPage)),
  },
  {
    path: '/my-products',
    Page: lazyPage(() => import('../../selling/MyProductsPage.tsx').then(({ MyProductsPage }) => MyProductsPage)),
  },
  { path: '/help', Page: HelpPage },
  { path: '/help/:slug', Page: HelpPage },
  { path: '/admin/chat', Page: AdminChatPage },
  // the answer is written where the bar would be
  { path: '/admin/chat/:userId', Page: AdminChatPage, hidesNav: true },
  {
    path: '/admin/orders',
    Page: lazyPage(() =>
      import('../../admin/orders/AdminOrdersPage.tsx').then(({ AdminOrdersPage }) => AdminOrdersPage),
    ),
  },
  {
    path: '/admin/orders/:id',
    Page: lazyPage(() => import('../../admin/orders/AdminOrderPage.tsx').then(({ AdminOrderPage }) => AdminOrderPage)),
  },
  {
    path: '/admin/risk',
    Page: lazyPage(() => import('../../admin/AdminRiskPage.tsx').then(({ AdminRiskPage }) => AdminRiskPage)),
  },
  {
    path: '/admin/errors',
    Page: lazyPage(() => import('../../admin/ErrorsPage.tsx').then(({ ErrorsPage }) => ErrorsPage)),
  },
  {
    path: '/admin/audit',
    Page: lazyPage(() => import('../../admin/AuditPage.tsx').then(({ AuditPage }) => AuditPage)),
  },
]

export type Found = { place: Place; id: string }

/** The page at an address within the shop, and the id in it. */
export function placeAt(href: string): Found | undefined {
  const segments = href.split(/[?#]/)[0]!.replace(/\/$/, '').split('/')
  const place = places.find(({ path }) => {
    const wanted = path === '/' ? [''] : path.split('/')
    return wanted.length === segments.length && wanted.every((one, i) => one.startsWith(':') || one === segments[i])
  })
  return place && { place, id: place.path.includes(':') ? segments.at(-1)! : '' }
}

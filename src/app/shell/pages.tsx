import { queryClient, query } from '../../kit/query/query.client.ts'
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

const HelpPage = lazyPage(() => import('../../assistant/help/HelpPage.tsx'), 'HelpPage')
const AdminChatPage = lazyPage(() => import('../../admin/AdminChatPage.tsx'), 'AdminChatPage')
const OrdersPage = lazyPage(() => import('../pages/OrdersPage.tsx'), 'OrdersPage')

/** The pages of a member, each with the data that a pointer near its link preloads. */
export const places: Place[] = [
  { path: '/', Page: lazyPage(() => import('../pages/HomePage.tsx'), 'HomePage') },
  {
    path: '/categories',
    Page: lazyPage(() => import('../pages/CategoriesPage.tsx'), 'CategoriesPage'),
    readAhead: () => void queryClient.prefetchQuery(shelfQuery),
  },
  {
    path: '/product/:id',
    Page: lazyPage(() => import('../pages/ProductPage.tsx'), 'ProductPage'),
    readAhead: (id) => void queryClient.prefetchQuery(query(getProduct, { id })),
  },
  {
    path: '/cart',
    Page: lazyPage(() => import('../pages/CartPage.tsx'), 'CartPage'),
    readAhead: () => void queryClient.prefetchInfiniteQuery(ordersQuery),
  },
  { path: '/orders', Page: OrdersPage, readAhead: () => void queryClient.prefetchInfiniteQuery(ordersQuery) },
  { path: '/orders/:id', Page: OrdersPage, readAhead: () => void queryClient.prefetchInfiniteQuery(ordersQuery) },
  {
    path: '/settings',
    Page: lazyPage(() => import('../pages/SettingsPage.tsx'), 'SettingsPage'),
  },
  {
    path: '/profile',
    Page: lazyPage(() => import('../../account/profile/ProfilePage.tsx'), 'ProfilePage'),
    readAhead: () => void queryClient.prefetchQuery(orderSumsQuery),
  },
  {
    path: '/wishlist',
    Page: lazyPage(() => import('../pages/WishlistPage.tsx'), 'WishlistPage'),
  },
  {
    path: '/my-products',
    Page: lazyPage(() => import('../../selling/MyProductsPage.tsx'), 'MyProductsPage'),
  },
  { path: '/help', Page: HelpPage },
  { path: '/help/:slug', Page: HelpPage },
  { path: '/admin/chat', Page: AdminChatPage },
  // the reply form takes the place of the bottom bar
  { path: '/admin/chat/:userId', Page: AdminChatPage, hidesNav: true },
  {
    path: '/admin/orders',
    Page: lazyPage(() => import('../../admin/orders/AdminOrdersPage.tsx'), 'AdminOrdersPage'),
  },
  {
    path: '/admin/orders/:id',
    Page: lazyPage(() => import('../../admin/orders/AdminOrderPage.tsx'), 'AdminOrderPage'),
  },
  {
    path: '/admin/risk',
    Page: lazyPage(() => import('../../admin/AdminRiskPage.tsx'), 'AdminRiskPage'),
  },
  {
    path: '/admin/errors',
    Page: lazyPage(() => import('../../admin/ErrorsPage.tsx'), 'ErrorsPage'),
  },
  {
    path: '/admin/audit',
    Page: lazyPage(() => import('../../admin/AuditPage.tsx'), 'AuditPage'),
  },
]

export type Found = { place: Place; id: string }

/** The page at a URL of the store, and the id in it. */
export function placeAt(href: string): Found | undefined {
  const segments = href.split(/[?#]/)[0]!.replace(/\/$/, '').split('/')
  const place = places.find(({ path }) => {
    const wanted = path === '/' ? [''] : path.split('/')
    return wanted.length === segments.length && wanted.every((one, i) => one.startsWith(':') || one === segments[i])
  })
  return place && { place, id: place.path.includes(':') ? segments.at(-1)! : '' }
}

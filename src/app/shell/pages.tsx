import { queryClient, query, type Read } from '../../kit/query/query.client.ts'
import { goOnQuery } from '../../delivery/library/useGoOn.ts'
import { getProduct } from '../../catalogue/catalogue.contract.ts'
import { readFilters, shelfPath } from '../../catalogue/shelf/shelf.rules.ts'
import { shelfQuery } from '../../catalogue/useCatalogue.ts'
import { orderSumsQuery, ordersQuery } from '../../purchases/orders.query.client.ts'
import { getCart } from '../../cart/cart.contract.ts'
import { getCurrentUser } from '../../identity/identity.contract.ts'
import { listPurchases } from '../../reviews/reviews.contract.ts'
import { lazyPage, type LazyPage } from './lazyPage.tsx'
import { findPath, type PAGE_PATHS } from './paths.ts'

type Place = {
  Page: LazyPage
  hidesNav?: boolean
  readAhead?: (id: string) => void
  /** The address with the query parameters that the page reads. Without it, the page reads none. */
  addressOf?: (search: URLSearchParams) => string
}

const readOrders = () => void queryClient.prefetchInfiniteQuery(ordersQuery)
const orders = {
  Page: lazyPage(
    () => import('../pages/OrdersPage.tsx'),
    'OrdersPage',
    () => (location.search.includes('tab=sales') ? 'selling' : 'rows'),
  ),
  readAhead: readOrders,
}
const order = { Page: lazyPage(() => import('../pages/OrderPage.tsx'), 'OrderPage', 'rows'), readAhead: readOrders }
const ownProducts = { Page: lazyPage(() => import('../../selling/MyProductsPage.tsx'), 'MyProductsPage', 'selling') }
const balance = { Page: lazyPage(() => import('../../selling/balance/BalancePage.tsx'), 'BalancePage', 'selling') }
const customers = {
  Page: lazyPage(() => import('../../selling/customers/CustomersPage.tsx'), 'CustomersPage', 'selling'),
}
const sellerTool = { Page: lazyPage(() => import('../../selling/SellerToolPage.tsx'), 'SellerToolPage', 'selling') }
const help = { Page: lazyPage(() => import('../../assistant/help/HelpPage.tsx'), 'HelpPage', 'rows') }
const opened = { Page: lazyPage(() => import('../../delivery/reading/OpenedPage.tsx'), 'OpenedPage') }
const staff = { Page: lazyPage(() => import('../../admin/AnyStaffPage.tsx'), 'AnyStaffPage', 'rows') }

/** The pages of a member. A pointer near a link preloads the data of its page. */
export const places: Record<(typeof PAGE_PATHS)[number], Place> = {
  '/': {
    Page: lazyPage(() => import('../pages/HomePage.tsx'), 'HomePage'),
    readAhead: () => void queryClient.prefetchQuery(goOnQuery),
  },
  '/categories': {
    Page: lazyPage(() => import('../pages/CategoriesPage.tsx'), 'CategoriesPage', 'shelf'),
    readAhead: () => void queryClient.prefetchQuery(shelfQuery),
    addressOf: (search) => shelfPath(readFilters(search)),
  },
  '/product/:id': {
    Page: lazyPage(() => import('../pages/ProductPage.tsx'), 'ProductPage', 'product'),
    readAhead: (id) => {
      void queryClient.prefetchQuery(query(getProduct, { id }))
      void queryClient.prefetchQuery(query(listPurchases, { id }))
    },
  },
  '/seller/:handle': { Page: lazyPage(() => import('../../selling/storefront/SellerPage.tsx'), 'SellerPage', 'shelf') },
  '/cart': {
    Page: lazyPage(() => import('../pages/CartPage.tsx'), 'CartPage', 'rows'),
    readAhead: readOrders,
  },
  '/checkout/return': { Page: lazyPage(() => import('../../checkout/return/ReturnPage.tsx'), 'ReturnPage') },
  '/orders': { ...orders, addressOf: (search) => (search.get('tab') === 'sales' ? '/orders?tab=sales' : '/orders') },
  '/orders/:id': order,
  '/library': {
    Page: lazyPage(() => import('../../account/OwnLibraryPage.tsx'), 'OwnLibraryPage', 'rows'),
    addressOf: (search) => (search.size > 0 ? `/library?${search}` : '/library'),
  },
  '/gift/:token': { Page: lazyPage(() => import('../../aftersale/gifts/GiftPage.tsx'), 'GiftPage') },
  '/learn/:id': opened,
  '/read/:id': opened,
  '/pay/:id': { Page: lazyPage(() => import('../../providers/usdc/PayPage.tsx'), 'PayPage') },
  '/settings': { Page: lazyPage(() => import('../pages/SettingsPage.tsx'), 'SettingsPage') },
  '/profile': {
    Page: lazyPage(() => import('../../account/profile/ProfilePage.tsx'), 'ProfilePage'),
    readAhead: () => void queryClient.prefetchQuery(orderSumsQuery),
  },
  '/profile/payments': {
    Page: lazyPage(() => import('../../payments/methods/SavedMethodsPage.tsx'), 'SavedMethodsPage', 'rows'),
  },
  '/wishlist': { Page: lazyPage(() => import('../pages/WishlistPage.tsx'), 'WishlistPage', 'shelf') },
  '/selling': sellerTool,
  '/selling/customers': customers,
  '/selling/customers/:id': customers,
  '/selling/more': sellerTool,
  '/selling/page': sellerTool,
  '/my-products': ownProducts,
  '/my-products/:idOrNew': ownProducts,
  '/balance': balance,
  '/balance/:id': balance,
  '/sales/:id': { Page: lazyPage(() => import('../../support/SaleSupportPage.tsx'), 'SaleSupportPage', 'selling') },
  '/webhooks': sellerTool,
  '/discounts': sellerTool,
  '/bad-codes': sellerTool,
  '/help': help,
  '/help/:slug': help,
  '/admin': staff,
  '/admin/chat': staff,
  // The reply form replaces the bottom bar.
  '/admin/chat/:userId': { ...staff, hidesNav: true },
  '/admin/orders': staff,
  '/admin/orders/:id': staff,
  '/admin/members': staff,
  '/admin/members/:id': staff,
  '/admin/categories': staff,
  '/admin/supply': staff,
  '/admin/reports': staff,
  '/admin/reports/:id': staff,
  '/admin/code-cases': staff,
  '/admin/risk': staff,
  '/admin/disputes': staff,
  '/admin/disputes/:id': staff,
  '/admin/payouts': staff,
  '/admin/transfers': staff,
  '/admin/errors': staff,
  '/admin/audit': staff,
  '/admin/answers': staff,
}

const FRAME: Read[] = [query(getCurrentUser, {}), query(getCart, {})]

export const readsOf = ({ place, id }: PageMatch): Read[] => [...FRAME, ...(place.Page.firstView()?.(id) ?? [])]

export type PageMatch = { path: string; place: Place; id: string }

export function placeAt(href: string): PageMatch | undefined {
  const address = href.split(/[?#]/)[0]!.replace(/\/$/, '')
  const path = findPath(address, Object.keys(places) as (keyof typeof places)[])
  return path && { path, place: places[path], id: path.includes(':') ? address.split('/').at(-1)! : '' }
}

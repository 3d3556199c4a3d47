import { plural } from '../../localisation/plural.rules.ts'
import type { Category, Product } from '../../catalogue/catalogue.contract.ts'
import { echo, hasWords } from '../../catalogue/shelf/pick.rules.ts'
import { shelfPath } from '../../catalogue/shelf/shelf.rules.ts'
import { shortId } from '../../orders/number.rules.ts'
import type { Order } from '../../purchases/orders.contract.ts'

export const GROUPS = [
  'Did you mean',
  'Search',
  'Recent searches',
  'Products',
  'Categories',
  'Orders',
  'Actions',
] as const
export type Group = (typeof GROUPS)[number]

export type Entry = { id: string; group: Group; label: string; hint?: string } & (
  { href: string; does?: undefined } | { href?: undefined; does: Deed }
)
export type Deed = 'add-product' | 'switch-mode' | 'sign-out' | 'forget-searches' | `theme:${string}`

const MAX = { Products: 6, Categories: 4, Orders: 4 } as const
const MAX_RECENT = 6

export const pageActions: Entry[] = (
  [
    ['Home', '/'],
    ['Shop', '/categories'],
    ['Cart', '/cart'],
    ['My Orders', '/orders'],
    ['Library', '/library'],
    ['Wishlist', '/wishlist'],
    ['Selling', '/selling'],
    ['My Products', '/my-products'],
    ['Balance', '/balance'],
    ['Sales', '/orders?tab=sales'],
    ['Profile', '/profile'],
    ['Settings', '/settings'],
    ['Help Center', '/help'],
  ] as const
).map(([label, href]) => ({ id: `go ${href}`, group: 'Actions', label: `Go to ${label}`, href }))

export const searchEntry = (typed: string): Entry => ({
  id: 'search',
  group: 'Search',
  label: `Search the store for “${echo(typed)}”`,
  href: shelfPath({ q: typed }),
})

export const recentEntries = (recent: string[]): Entry[] => [
  ...recent.map((q): Entry => ({ id: `recent ${q}`, group: 'Recent searches', label: q, href: shelfPath({ q }) })),
  ...(recent.length > 0
    ? [{ id: 'forget', group: 'Recent searches', label: 'Clear recent searches', does: 'forget-searches' } as const]
    : []),
]

type ProductGroup = 'Products' | 'Did you mean'

export const productEntries = (group: ProductGroup, products: Product[], priceOf: (usd: string) => string): Entry[] =>
  products.slice(0, MAX.Products).map(({ id, title, price }) => ({
    ...{ id: `product ${id}`, group, label: title, hint: priceOf(price), href: `/product/${id}` },
  }))

export const categoryEntries = (categories: Category[], typed: string): Entry[] =>
  categories
    .filter(({ name }) => hasWords(name, typed))
    .slice(0, MAX.Categories)
    .map(({ id, name, productCount }) => ({
      ...{ id: `category ${id}`, group: 'Categories', label: name, hint: plural(productCount, 'product') },
      href: shelfPath({ categoryId: id }),
    }))

export const orderEntries = (orders: Order[], typed: string): Entry[] =>
  orders
    .filter(({ id, lines }) => shortId(id).startsWith(typed.replace(/^#/, '').toLowerCase()) || isBought(lines, typed))
    .slice(0, MAX.Orders)
    .map(({ id, status, lines }) => ({
      ...{ id: `order ${id}`, group: 'Orders', label: `Order #${shortId(id)}`, href: `/orders/${id}` },
      hint: `${lines[0]?.title ?? ''} · ${status}`,
    }))

const isBought = (lines: Order['lines'], typed: string) => lines.some(({ title }) => hasWords(title, typed))

export const withRecent = (recent: string[], q: string): string[] =>
  q.trim()
    ? [q.trim(), ...recent.filter((one) => one.toLowerCase() !== q.trim().toLowerCase())].slice(0, MAX_RECENT)
    : recent

/** Counts the results, without the command to search. */
export const countOf = (entries: Entry[]): number => entries.filter(({ group }) => group !== 'Search').length

/** Returns the row that a key chooses. Wraps around. */
export const moved = (at: number, key: string, count: number): number =>
  count === 0
    ? 0
    : ({ ArrowDown: (at + 1) % count, ArrowUp: (at - 1 + count) % count, Home: 0, End: count - 1 }[key] ?? at)

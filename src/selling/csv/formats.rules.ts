import type { Format } from './csv.contract.ts'
import { type Money, readMoney } from './money.rules.ts'

/** The product that a row describes. `categories` are texts that may contain its category, best first. */
export type ImportMessage = {
  /** The id of the product in the file, such as a handle or SKU. Empty for a row without an id. */
  name: string
  title: string
  description: string
  money: Money
  /** The suggested price if buyers choose the price. Empty for a fixed price. */
  suggested: string
  categories: string[]
  /** Name of the variant; empty for a product without variants. */
  variant: string
}

export type Field = 'name' | 'title' | 'description' | 'price' | 'suggested' | 'category'

/** Cells are truncated to these lengths before a regular expression reads them. */
const MAX_PRICE_LENGTH = 40
const MAX_TAGS_LENGTH = 1_000
const MAX_OPTION_LENGTH = 60

export type Layout = {
  format: Format
  isHtml: boolean
  read: (cells: string[]) => ImportMessage
  columnOf: (field: Field) => string
  hasPrice: (cells: string[]) => boolean
  /** Columns that are imported or that repeat other columns. The import reports all other columns. */
  taken: Set<number>
}

/** Column names in lower case, with spaces for underscores. The first one that the file has is read. */
type Columns = Record<Exclude<Field, 'suggested'>, string[]> & { suggested?: string[] } & {
  more?: string[]
  isHtml?: boolean
}

const FORMATS: Record<Format, Columns> = {
  primo: {
    name: ['id'],
    title: ['title'],
    description: ['description'],
    price: ['price'],
    suggested: ['suggested price'],
    category: ['category'],
    more: ['status', 'stock', 'sales', 'created'],
  },
  shopify: {
    name: ['handle', 'url handle'],
    title: ['title'],
    description: ['body (html)', 'description'],
    price: ['variant price', 'price'],
    category: ['type', 'product category', 'tags'],
    isHtml: true,
  },
  woocommerce: {
    name: ['sku', 'id'],
    title: ['name'],
    description: ['description', 'short description'],
    price: ['regular price'],
    category: ['categories', 'tags'],
    more: ['id', 'type', 'published'],
    isHtml: true,
  },
  gumroad: {
    name: ['custom permalink', 'permalink', 'unique permalink', 'short url', 'product url', 'url', 'id'],
    title: ['name', 'product name', 'title'],
    description: ['description'],
    price: ['formatted price', 'price ($)', 'price cents', 'price'],
    category: ['native type', 'product type', 'type', 'tags', 'category'],
    more: ['currency', 'id', 'permalink', 'unique permalink', 'short url', 'product url', 'url', 'price'],
    isHtml: true,
  },
}

const plain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, ' ')

function formatOf(names: string[]): Format | null {
  const has = (...wanted: string[]) => wanted.some((name) => names.includes(name))
  if (has('name') && has('regular price')) return 'woocommerce'
  if (has('handle', 'url handle') && has('title') && has('variant price', 'price')) return 'shopify'
  if (
    has('name', 'product name') &&
    has('permalink', 'custom permalink', 'unique permalink', 'short url', 'product url', 'url')
  )
    return 'gumroad'
  return has('title') && has('price') ? 'primo' : null
}

export function layoutOf(header: string[]): Layout | null {
  const names = header.map(plain)
  const format = refuseHeader(header) === null ? formatOf(names) : null
  if (!format) return null
  const columns = FORMATS[format]
  const placesOf = (wanted: string[]) => wanted.map((name) => names.indexOf(name)).filter((at) => at >= 0)
  const at = {
    name: placesOf(columns.name),
    title: placesOf(columns.title),
    description: placesOf(columns.description),
    price: placesOf(columns.price),
    suggested: placesOf(columns.suggested ?? []),
    category: placesOf(columns.category),
  }
  const isCents = names[at.price[0]!] === 'price cents'
  const optionsAt = format === 'shopify' ? placesOf(['option1 value', 'option2 value', 'option3 value']) : []
  const currencyAt = format === 'gumroad' ? names.indexOf('currency') : -1
  return {
    format,
    isHtml: columns.isHtml ?? false,
    read: (cells) => {
      const first = (places: number[]) => places.map((place) => (cells[place] ?? '').trim()).find(Boolean) ?? ''
      const price = shortPrice(first(at.price))
      const money = readMoney(isCents && /^\d+$/.test(price) ? centsAsDollars(price) : price)
      const currency = currencyAt >= 0 ? (cells[currencyAt] ?? '').trim().slice(0, MAX_PRICE_LENGTH).toUpperCase() : ''
      return {
        name: first(at.name),
        title: cells[at.title[0]!] ?? '',
        description: at.description.length > 0 ? (cells[at.description[0]!] ?? '') : '',
        money: { ...money, currency: currency !== '' && currency !== 'USD' ? currency : money.currency },
        suggested: shortPrice(first(at.suggested)),
        categories: at.category.flatMap((place) =>
          cells[place] ? tagsIn(cells[place]!.slice(0, MAX_TAGS_LENGTH)) : [],
        ),
        variant: optionsAt
          .map((place) => (cells[place] ?? '').trim().slice(0, MAX_OPTION_LENGTH))
          .filter((value) => value !== '' && value !== 'Default Title')
          .join(', '),
      }
    },
    hasPrice: (cells) => at.price.some((place) => (cells[place] ?? '').trim() !== ''),
    columnOf: (field) => header[at[field][0] ?? -1]?.trim() || { ...NAMES }[field],
    taken: new Set([...Object.values(at).flat(), ...placesOf(columns.more ?? [])]),
  }
}

const NAMES: Record<Field, string> = {
  name: 'Id',
  title: 'Title',
  description: 'Description',
  price: 'Price',
  suggested: 'Suggested price',
  category: 'Category',
}

/** 'Media > Books' -> ['Media > Books', 'Books', 'Media'] */
const tagsIn = (cell: string) => [
  cell,
  ...cell
    .split(/[,;|>]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .toReversed(),
]

const centsAsDollars = (cents: string) => `${cents.padStart(3, '0').slice(0, -2)}.${cents.padStart(3, '0').slice(-2)}`

/** Replaces a long cell, which cannot be a price, by a text that the price rules reject. */
const shortPrice = (cell: string) => (cell.length > MAX_PRICE_LENGTH ? 'too long' : cell)

const OF_SALES = [
  ...['purchase id', 'purchase date', 'purchase email', 'buyer email', 'buyer name', 'customer email', 'item name'],
  ...[
    'item price ($)',
    'sale price',
    'order number',
    'order id',
    'financial status',
    'lineitem name',
    'lineitem price',
  ],
]

export function refuseHeader(header: string[]): string | null {
  const names = header.map(plain)
  if (OF_SALES.filter((name) => names.includes(name)).length >= 2)
    return 'This is a list of sales. We need a list of products: title and price at least.'
  if (formatOf(names)) return null
  return 'The first row must name the columns: title and price at least, or those of a Gumroad, Shopify or WooCommerce export.'
}

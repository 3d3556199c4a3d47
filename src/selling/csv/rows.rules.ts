import { AskedProduct, NewProduct } from '../../catalogue/add-product/newProduct.contract.ts'
import { askingProblems } from '../../catalogue/price/asking.rules.ts'
import { readPrice } from '../../catalogue/price.rules.ts'
import { toCents } from '../../kit/money.ts'
import { categoryOf } from './categories.rules.ts'
import { unguardCell } from '../../kit/csv/csv.rules.ts'
import { type Field, type Layout, layoutOf, type Said } from './formats.rules.ts'
import { isHtml, readHtml } from './html.rules.ts'

type Named = { id: string; name: string }

/** A row as it is kept until the import. */
export type Row = {
  number: number
  state: 'ready' | 'bad'
  /** Tells the products of a file apart, and recognises them when the file comes again. */
  key: string
  title: string
  description: string
  priceCents: number | null
  suggestedCents: number | null
  categoryId: string | null
  problem: string | null
}

const LONGEST_NAME = 200
/** Of a cell with a description, before its HTML is read. */
const LONGEST_CELL = 60_000
/** A longer title is refused by its start. */
const LONGEST_TITLE = 1_000
/** Kept of a title that is wrong, to show it. */
const SHOWN = 200

const FIELDS: Record<string, Field> = {
  title: 'title',
  description: 'description',
  price: 'price',
  suggested: 'suggested',
  categoryId: 'category',
}

/** What the rows of a file share: keys with the numbers of their rows, and the columns that no product has a place for. */
export type Shared = { seen: Map<string, number>; left: Set<number> }
export type RowTerms = { categories: Named[]; fallback: string | null; shared?: Shared }

/** Reads the records of a file one after another. `fallback` is the category of products that name none. */
export function openRows(
  header: string[],
  { categories, fallback, shared = { seen: new Map(), left: new Set() } }: RowTerms,
) {
  const layout = layoutOf(header)
  if (!layout) return null
  const { seen, left } = shared

  /** Null for a row that only adds to the product above: a variant or a picture. */
  function read(cells: string[], number: number): Row | null {
    const given = layout!.format === 'primo' ? cells.map(unguardCell) : cells
    const said = layout!.read(given)
    cells.forEach((cell, at) => cell.trim() !== '' && !layout!.taken.has(at) && at < header.length && left.add(at))
    const key = keyOf(layout!, said)
    const before = seen.get(key)
    if (layout!.format === 'shopify' && before !== undefined && said.title.trim() === '') return null
    if (before === undefined) seen.set(key, number)
    const problems = cells.length > header.length ? ['The row has more cells than the header.'] : []
    if (said.name.length > LONGEST_NAME)
      problems.push(`${layout!.columnOf('name')}: At most ${LONGEST_NAME} characters`)
    else if (before !== undefined) problems.push(repeated(layout!, said, before))
    return judge(layout!, said, { number, key: key.slice(0, LONGEST_NAME + 10), problems })
  }

  function judge(
    of: Layout,
    said: Said,
    { number, key, problems }: { number: number; key: string; problems: string[] },
  ): Row {
    const isLong = said.description.length > LONGEST_CELL
    const typed = isLong ? '' : said.description
    // other shops write 0 for what they do not sell
    const schema = of.format === 'primo' ? AskedProduct : NewProduct
    const product = schema.safeParse({
      title: said.title.trimStart().slice(0, LONGEST_TITLE),
      description: of.isHtml && isHtml(typed) ? readHtml(typed) : typed,
      price: readPrice(said.price),
      ...(said.suggested && { suggested: readPrice(said.suggested) }),
      categoryId: categoryOf(said.categories, categories) ?? fallback ?? '',
    })
    if (isLong) problems.push(tooLong(of, LONGEST_CELL, said.description.length))
    if (said.currency)
      problems.push(`${of.columnOf('price')}: The price is in ${said.currency}. Write it in US dollars`)
    for (const { path, message } of product.error?.issues ?? []) {
      const field = FIELDS[String(path[0])] ?? 'title'
      problems.push(`${of.columnOf(field)}: ${sentenceOf(field, message, said)}`)
    }
    const unfit = product.success ? askingProblems(product.data) : {}
    for (const message of Object.values(unfit)) problems.push(`${of.columnOf('suggested')}: ${message}`)
    if (product.success && problems.length === 0) {
      const { title, description, price, suggested = null, categoryId } = product.data as AskedProduct
      return {
        number,
        state: 'ready',
        key,
        title,
        description: description ?? '',
        priceCents: toCents(price),
        suggestedCents: suggested === null ? null : toCents(suggested),
        categoryId,
        problem: null,
      }
    }
    const problem = [...new Set(problems)].join('. ')
    const title = storable(said.title.trim()).slice(0, SHOWN)
    return {
      number,
      state: 'bad',
      key,
      title,
      description: '',
      priceCents: null,
      suggestedCents: null,
      categoryId: null,
      problem: storable(problem),
    }
  }

  return {
    layout,
    read,
    shared,
    columnsLeft: () => [...left].sort((a, b) => a - b).map((at) => storable(header[at]!.trim())),
  }
}

/** Without a name of its own a product is known by its title. */
const keyOf = ({ format }: Layout, { name, title }: Said) =>
  storable(name ? `${format}:${format === 'primo' ? name.toLowerCase() : name}` : `title:${title.trim().toLowerCase()}`)

const repeated = (of: Layout, { name }: Said, before: number) =>
  name
    ? `${of.columnOf('name')}: Row ${before} has the same one`
    : `${of.columnOf('title')}: Row ${before} has the same title. Give each an id in a column "id"`

const tooLong = (of: Layout, most: number, length: number) =>
  `${of.columnOf('description')}: At most ${most.toLocaleString('en')} characters, it has ${length.toLocaleString('en')}`

function sentenceOf(field: Field, message: string, said: Said): string {
  if (field === 'category')
    return said.categories[0] ? `“${said.categories[0].slice(0, 60)}” is none of our categories` : 'Category is missing'
  const { length } = field === 'title' ? said.title.trim() : field === 'description' ? said.description : ''
  return /^At most/.test(message) && length > 0 ? `${message}, it has ${length.toLocaleString('en')}` : message
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

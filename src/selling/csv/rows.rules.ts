import { AskedProduct } from '../../catalogue/add-product/newProduct.contract.ts'
import { askingProblems } from '../../catalogue/price/asking.rules.ts'
import { priceProblem } from '../../catalogue/price.rules.ts'
import { toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { categoryOf } from './categories.rules.ts'
import { unguardCell } from '../../kit/csv/csv.rules.ts'
import { type Field, type Layout, layoutOf, type ImportMessage } from './formats.rules.ts'
import type { CsvRecord } from './csvRecord.rules.ts'
import { isHtml, readHtml } from './html.rules.ts'
import { readMoney } from './money.rules.ts'

type Named = { id: string; name: string }

export type Row = {
  number: number
  state: 'ready' | 'bad'
  /** Identifies the product within its file, and recognises it when the seller imports the file again. */
  key: string
  title: string
  description: string
  priceCents: number | null
  suggestedCents: number | null
  categoryId: string | null
  problem: string | null
}

const MAX_NAME_LENGTH = 200
const MAX_CELL_LENGTH = 60_000
/** Only the start of a longer title is read, and the title is refused. */
const MAX_TITLE_LENGTH = 1_000
/** Length of a wrong title in the preview. */
const SHOWN = 200

const FIELDS: Record<string, Field> = {
  title: 'title',
  description: 'description',
  price: 'price',
  suggested: 'suggested',
  categoryId: 'category',
}

/** Suggested price if buyers may pay nothing and the file suggests no price. */
const SUGGESTED = '1.00'
const MAX_NAMED = 5

type Variant = { name: string; price: string }

/**
 * State that all rows of a file share: row numbers by key, columns that cannot be imported, and the variants by the row of their
 * product.
 */
export type Shared = { seen: Map<string, number>; left: Set<number>; variants: Map<number, Variant[]> }
export type RowTerms = { categories: Named[]; fallback: string | null; shared?: Shared }

/** Collects one problem for each column. The first problem is the most specific one. */
function openProblems(of: Layout) {
  const found = new Map<Field | 'row', string>()
  return {
    add: (field: Field | 'row', sentence: string) => void (found.has(field) || found.set(field, sentence)),
    isEmpty: () => found.size === 0,
    text: () =>
      [...found]
        .map(([field, sentence]) => (field === 'row' ? sentence : `${of.columnOf(field)}: ${sentence}`))
        .join('. '),
  }
}
type Problems = ReturnType<typeof openProblems>

export function openRows(
  header: string[],
  { categories, fallback, shared = { seen: new Map(), left: new Set(), variants: new Map() } }: RowTerms,
) {
  const layout = layoutOf(header)
  return layout ? readersOf(header, layout, { categories, fallback, shared }) : null
}

function readersOf(header: string[], layout: Layout, { categories, fallback, shared }: Required<RowTerms>) {
  const { seen, left, variants } = shared

  /** Returns null for a row that only adds a variant or a picture to the product above. */
  function read({ cells, problem }: CsvRecord, number: number): Row | null {
    const problems = openProblems(layout)
    const given = layout.format === 'primo' ? cells.map(unguardCell) : cells
    const said = layout.read(given)
    if (problem !== null) {
      problems.add('row', problem)
      return refused({ number, key: `row:${number}`, title: said.title.replaceAll('"', ''), problems })
    }
    cells.forEach((cell, at) => cell.trim() !== '' && !layout.taken.has(at) && at < header.length && left.add(at))
    const key = keyOf(layout, said)
    const before = seen.get(key)
    if (said.variant !== '' && layout.hasPrice(cells)) {
      const of = before ?? number
      variants.set(of, [...(variants.get(of) ?? []), { name: said.variant, price: said.money.price }])
    }
    if (layout.format === 'shopify' && before !== undefined && said.title.trim() === '') return null
    if (before === undefined) seen.set(key, number)
    if (cells.length > header.length) {
      // the cells may be in wrong columns, so other problems of the row are not reported
      problems.add('row', 'The row has more cells than the header. Put cells with a comma in quotation marks')
      return refused({ number, key: key.slice(0, MAX_NAME_LENGTH + 10), title: said.title, problems })
    }
    if (said.name.length > MAX_NAME_LENGTH) problems.add('name', `At most ${MAX_NAME_LENGTH} characters`)
    else if (before !== undefined) {
      const [field, sentence] = repeated(said, before)
      problems.add(field, sentence)
    }
    return judge(layout, said, { number, key: key.slice(0, MAX_NAME_LENGTH + 10), problems })
  }

  function judge(
    of: Layout,
    said: ImportMessage,
    { number, key, problems }: { number: number; key: string; problems: Problems },
  ): Row {
    const isLong = said.description.length > MAX_CELL_LENGTH
    const typed = isLong ? '' : said.description
    const asked = askedOf(said)
    const product = AskedProduct.safeParse({
      title: said.title.trimStart().slice(0, MAX_TITLE_LENGTH),
      description: of.isHtml && isHtml(typed) ? readHtml(typed) : typed,
      ...asked,
      categoryId: categoryOf(said.categories, categories) ?? fallback ?? '',
    })
    if (isLong) problems.add('description', tooLong(MAX_CELL_LENGTH, said.description.length))
    if (said.money.currency) problems.add('price', `The price is in ${said.money.currency}. Write it in US dollars`)
    for (const { path, message } of product.error?.issues ?? []) {
      const field = FIELDS[String(path[0])] ?? 'title'
      problems.add(field, sentenceOf(field, message, said))
    }
    const unfit = product.success ? askingProblems(product.data) : {}
    for (const message of Object.values(unfit)) problems.add('suggested', message)
    if (!product.success || !problems.isEmpty()) return refused({ number, key, title: said.title, problems })
    const { title, description, price, suggested = null, categoryId } = product.data
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

  const notes = () =>
    [...variants]
      .filter(([, all]) => all.length > 1)
      .map(([number, all]) => ({ number, note: storable(describeVariants(all)) }))

  return {
    layout,
    read,
    shared,
    notes,
    columnsLeft: () => [...left].sort((a, b) => a - b).map((at) => storable((header[at] ?? '').trim())),
  }
}

/** Reads the price. `$10+` is the minimum of a price that buyers choose. */
function askedOf({ money: { price, isLeast }, suggested }: ImportMessage): { price: string; suggested?: string } {
  if (suggested) return { price, suggested: readMoney(suggested).price }
  if (!isLeast || priceProblem(price, { mayBeFree: true })) return { price }
  return { price, suggested: toCents(price) === 0 ? SUGGESTED : price }
}

function describeVariants([first, ...rest]: Variant[]): string {
  const shown = ({ name, price }: Variant) =>
    `“${name.slice(0, 60)}” at ${priceProblem(price, { mayBeFree: true }) ? price.slice(0, 20) : usd(toCents(price))}`
  const named = rest.slice(0, MAX_NAMED).map(shown)
  const more = rest.length > MAX_NAMED ? ` and ${rest.length - MAX_NAMED} more` : ''
  return `Only ${shown(first!)} is imported. Left out: ${named.join('; ')}${more}. Add variants on the product page.`
}

const refused = ({
  number,
  key,
  title,
  problems,
}: Pick<Row, 'number' | 'key' | 'title'> & { problems: Problems }): Row => ({
  ...{ number, key, title: storable(title.trim()).slice(0, SHOWN), problem: storable(problems.text()) },
  ...{ state: 'bad', description: '', priceCents: null, suggestedCents: null, categoryId: null },
})

/** Identifies a product by its id in the file, otherwise by its title. */
const keyOf = ({ format }: Layout, { name, title }: ImportMessage) =>
  storable(name ? `${format}:${format === 'primo' ? name.toLowerCase() : name}` : `title:${title.trim().toLowerCase()}`)

const repeated = ({ name }: ImportMessage, before: number): [Field, string] =>
  name
    ? ['name', `Row ${before} has the same one`]
    : ['title', `Row ${before} has the same title. Give each an id in a column "id"`]

const tooLong = (most: number, length: number) =>
  `At most ${most.toLocaleString('en')} characters, it has ${length.toLocaleString('en')}`

function sentenceOf(field: Field, message: string, said: ImportMessage): string {
  if (field === 'category')
    return said.categories[0] ? `“${said.categories[0].slice(0, 60)}” is none of our categories` : 'Category is missing'
  const { length } = field === 'title' ? said.title.trim() : field === 'description' ? said.description : ''
  return /^At most/.test(message) && length > 0 ? `${message}, it has ${length.toLocaleString('en')}` : message
}

/** PostgreSQL cannot store NUL and lone surrogates. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

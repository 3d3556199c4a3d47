import type { Asking } from '../asking.rules.ts'
import type { Sort } from '../../../catalogue/catalogue.contract.ts'
import { type ProductHit, foundAt, type Rated, type Row } from './products.server.ts'
import { stem } from '../words.rules.ts'

/** A product matches a topic by at least this share of words, or by this similarity of embeddings. */
const MIN_WORDS = 0.25
const MIN_MEANING = 0.5
export const MAX_SHOWN = 3

const BY_TITLE = new Intl.Collator('en')

const ORDERS: Partial<Record<Sort, (one: Row, other: Row) => number>> = {
  'price-asc': (one, other) => one.cents - other.cents,
  'price-desc': (one, other) => other.cents - one.cents,
  newest: (one, other) => one.age - other.age,
  rating: (one, other) => other.rated - one.rated,
  popular: (one, other) => other.buyers - one.buyers,
}

const isWithin = ({ cents, categoryId: own }: Row, { price, categoryId }: Asking) =>
  (!price || (cents >= price.from && cents <= price.to)) && (!categoryId || own === categoryId)

/** The number of matches, and the first of them in the requested order. */
export type Chosen = { count: number; first: ProductHit[] }

export function choose(rated: Rated, asking: Asking, skip: ReadonlySet<string>, most = MAX_SHOWN): Chosen {
  const { topic, price, sort } = asking
  const { items, words, meanings, scores } = rated
  const rowOf = (i: number) => items[i]!.row
  const fits: number[] = []
  let best = 0
  for (let i = 0; i < items.length; i++) {
    const row = rowOf(i)
    if (!isWithin(row, asking) || skip.has(row.id)) continue
    fits.push(i)
    best = Math.max(best, scores[i]!)
  }
  const asked = topic.map(stem)
  const least = best * (sort ? 0.72 : 0.6)
  const isRelevant = (i: number) =>
    asked.length === 0 || ((words[i]! >= MIN_WORDS || meanings[i]! >= MIN_MEANING) && scores[i]! >= least)
  const aim = sort === null ? price?.aim : undefined
  const bySort = sort === null ? undefined : ORDERS[sort]
  const order = (a: number, b: number): number => {
    const [one, other] = [rowOf(a), rowOf(b)]
    if (aim !== undefined) return Math.abs(one.cents - aim) - Math.abs(other.cents - aim)
    if (bySort) return bySort(one, other)
    return asked.length > 0 ? scores[b]! - scores[a]! : other.buyers - one.buyers || other.rated - one.rated
  }
  const isBefore = (a: number, b: number) => (order(a, b) || BY_TITLE.compare(rowOf(a).title, rowOf(b).title)) < 0
  // Collects only the first matches, because sorting a thousand products would take most of the time.
  let count = 0
  const first: number[] = []
  for (const i of fits) {
    if (!isRelevant(i)) continue
    count++
    if (first.length === most && !isBefore(i, first[most - 1]!)) continue
    const at = first.findIndex((other) => isBefore(i, other))
    first.splice(at < 0 ? first.length : at, 0, i)
    if (first.length > most) first.pop()
  }
  return { count, first: first.map((i) => foundAt(rated, i)) }
}

import type { Asking } from '../asking.rules.ts'
import { type ProductHit, foundAt, type Rated } from './products.server.ts'
import { stem } from '../words.rules.ts'

/** Words alone must hold at least this share of the topic, or the meaning must be this near. */
const MIN_WORDS = 0.25
const MIN_MEANING = 0.5
export const MAX_SHOWN = 3

const BY_TITLE = new Intl.Collator('en')

/** How many fit the conditions and the topic, and the first of them in the order that the question asks for. */
export type Chosen = { count: number; first: ProductHit[] }

export function choose(
  rated: Rated,
  { topic, price, categoryId, sort }: Asking,
  skip: ReadonlySet<string>,
  most = MAX_SHOWN,
): Chosen {
  const { items, words, meanings, scores } = rated
  const rowOf = (i: number) => items[i]!.row
  const fits: number[] = []
  let best = 0
  for (let i = 0; i < items.length; i++) {
    const { id, cents, categoryId: own } = rowOf(i)
    if ((price && (cents < price.from || cents > price.to)) || (categoryId && own !== categoryId)) continue
    if (skip.has(id)) continue
    fits.push(i)
    best = Math.max(best, scores[i]!)
  }
  const asked = topic.map(stem)
  const least = best * (sort ? 0.72 : 0.6)
  const isRelevant = (i: number) =>
    asked.length === 0 || ((words[i]! >= MIN_WORDS || meanings[i]! >= MIN_MEANING) && scores[i]! >= least)
  const order = (a: number, b: number): number => {
    const [one, other] = [rowOf(a), rowOf(b)]
    if (price?.aim !== undefined && sort === null)
      return Math.abs(one.cents - price.aim) - Math.abs(other.cents - price.aim)
    if (sort === 'price-asc') return one.cents - other.cents
    if (sort === 'price-desc') return other.cents - one.cents
    if (sort === 'newest') return one.age - other.age
    if (sort === 'rating') return other.rated - one.rated
    if (sort === 'popular') return other.buyers - one.buyers
    return asked.length > 0 ? scores[b]! - scores[a]! : other.buyers - one.buyers || other.rated - one.rated
  }
  const isBefore = (a: number, b: number) => (order(a, b) || BY_TITLE.compare(rowOf(a).title, rowOf(b).title)) < 0
  // sorting a thousand to show three would take most of the time of an answer
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

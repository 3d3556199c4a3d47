import type { Asking } from './asking.rules.ts'
import type { Found } from './products.server.ts'
import { stem } from './words.rules.ts'

/** Words alone must hold at least this share of the topic, or the meaning must be this near. */
const LEAST_WORDS = 0.25
const LEAST_MEANING = 0.5

const BY_TITLE = new Intl.Collator('en')

/** Those that fit the conditions and the topic, in the order that the question asks for. */
export function choose(rated: Found[], { topic, price, categoryId, sort }: Asking, skip: Set<string>): Found[] {
  const fits = rated.filter(
    ({ id, cents, categoryId: own }) =>
      !skip.has(id) && (!price || (cents >= price.from && cents <= price.to)) && (!categoryId || own === categoryId),
  )
  const asked = topic.map(stem)
  const best = Math.max(0, ...fits.map(({ score }) => score))
  const relevant =
    asked.length === 0
      ? fits
      : fits.filter(
          ({ score, words, meaning }) =>
            (words >= LEAST_WORDS || meaning >= LEAST_MEANING) && score >= best * (sort ? 0.72 : 0.6),
        )
  const order = (a: Found, b: Found): number => {
    if (price?.aim !== undefined && sort === null) return Math.abs(a.cents - price.aim) - Math.abs(b.cents - price.aim)
    if (sort === 'price-asc') return a.cents - b.cents
    if (sort === 'price-desc') return b.cents - a.cents
    if (sort === 'newest') return a.age - b.age
    if (sort === 'rating') return b.rated - a.rated
    if (sort === 'popular') return b.buyers - a.buyers
    return asked.length > 0 ? b.score - a.score : b.buyers - a.buyers || b.rated - a.rated
  }
  return relevant.toSorted((a, b) => order(a, b) || BY_TITLE.compare(a.title, b.title))
}

import { plural } from '../localisation/plural.rules.ts'
import type { ProductDetail, StarCounts } from '../catalogue/catalogue.contract.ts'

export const countOf = (counts: StarCounts): number => counts.reduce((sum, count) => sum + count, 0)

export function averageOf(counts: StarCounts): string | null {
  const count = countOf(counts)
  const stars = counts.reduce((sum, of, i) => sum + of * (i + 1), 0)
  return count === 0 ? null : (stars / count).toFixed(1)
}

export const formatCount = (count: number): string => plural(count, 'review')

const markSamples = (count: number, samples: number): string =>
  samples === 0 ? '' : samples === count ? ', from sample reviews' : `, ${samples} are samples`

export const describeStore = (count: number, samples: number): string =>
  `the store’s rating${markSamples(count, samples)}`

export const describeProduct = (count: number, samples: number): string =>
  `${formatCount(count)} of this product${markSamples(count, samples)}`

type Rating = ProductDetail['rating']

/** Returns the rating after a review changed from `was` to `is` stars. Null means no review. */
export function moveStars(rating: Rating, was: number | null, is: number | null): Rating {
  const move = (counts: StarCounts) => counts.map((count, i) => count + Number(is === i + 1) - Number(was === i + 1))
  return { ...rating, product: move(rating.product), store: move(rating.store) }
}

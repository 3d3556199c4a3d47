import type { ProductDetail, StarCounts } from '../catalogue/catalogue.contract.ts'

export const countOf = (counts: StarCounts): number => counts.reduce((sum, count) => sum + count, 0)

/** The mean with one decimal, '4.8'; null without reviews. */
export function averageOf(counts: StarCounts): string | null {
  const count = countOf(counts)
  const stars = counts.reduce((sum, of, i) => sum + of * (i + 1), 0)
  return count === 0 ? null : (stars / count).toFixed(1)
}

export const formatCount = (count: number): string => `${count.toLocaleString('en')} review${count === 1 ? '' : 's'}`

export function describeStore(count: number, samples: number): string {
  if (samples === 0) return 'the store’s rating'
  return samples === count ? 'the store’s rating, from sample reviews' : `the store’s rating, ${samples} are samples`
}

type Rating = ProductDetail['rating']

/** The rating after a review of `was` stars became one of `is` stars; null stands for no review. */
export function moveStars(rating: Rating, was: number | null, is: number | null): Rating {
  const move = (counts: StarCounts) => counts.map((count, i) => count + Number(is === i + 1) - Number(was === i + 1))
  return { ...rating, product: move(rating.product), store: move(rating.store) }
}

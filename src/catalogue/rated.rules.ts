import type { Product } from './catalogue.contract.ts'

/** Formats a rating: '4.6 (12)', or with demo reviews '4.6 (12 reviews, 3 of them samples)'. */
export function describeRated({ stars, reviews, samples }: NonNullable<Product['rated']>): string {
  const count = (one: number, what: string) => `${one} ${what}${one === 1 ? '' : 's'}`
  const whose =
    samples === 0
      ? reviews
      : samples === reviews
        ? count(samples, 'sample')
        : `${count(reviews, 'review')}, ${samples} of them ${samples === 1 ? 'a sample' : 'samples'}`
  return `${stars.toFixed(1)} (${whose})`
}

import type { Product } from './catalogue.contract.ts'

/** '4.6 (12)'. Reviews of the demo store are marked: '4.6 (12, 3 samples)'. */
export function describeRated({ stars, reviews, samples }: NonNullable<Product['rated']>): string {
  const marked = samples === reviews ? '' : `${reviews}, `
  return `${stars.toFixed(1)} (${samples === 0 ? reviews : `${marked}${samples} sample${samples === 1 ? '' : 's'}`})`
}

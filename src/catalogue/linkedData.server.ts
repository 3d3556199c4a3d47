import type { Shared } from './preview.server.ts'

/** Describes a product to search engines, as schema.org asks. */
export function linkedData({ id, title, description, price, category, rating }: Shared) {
  const count = rating.product.reduce((sum, stars) => sum + stars, 0)
  const stars = rating.product.reduce((sum, given, i) => sum + given * (i + 1), 0)
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: title,
    sku: id,
    category,
    ...(description && { description }),
    offers: { '@type': 'Offer', price, priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
    // Sample reviews must not count as reviews.
    ...(count > 0 &&
      rating.productSamples === 0 && {
        aggregateRating: { '@type': 'AggregateRating', ratingValue: (stars / count).toFixed(1), reviewCount: count },
      }),
  }
}

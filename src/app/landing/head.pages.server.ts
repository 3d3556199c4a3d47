import { PREVIEW, type Shared } from '../../catalogue/preview.server.ts'
import { type Html, html, trustedHtml } from '../../kit/html.server.ts'

export type SharedLink = {
  path: string
  title: string
  description: string
  picture: string
  sent: Html
  tags: Record<string, string>
  data: object | null
  isPrivate?: boolean
}

type Head = { storeName: string; publicUrl: string; tagline: string; about: string }

/** Returns title, description, canonical address and link preview of the landing page or a shared link. */
export function headHtml({ storeName, publicUrl, tagline, about }: Head, link: SharedLink | null): Html {
  const url = publicUrl + (link?.path ?? '/')
  const title = link ? link.title : `${tagline} · ${storeName}`
  const description = link ? cut(link.description || `${link.title} at ${storeName}`, 160) : about
  const image = publicUrl + (link?.picture ?? '/icons/512.png')
  const tags = {
    'og:site_name': storeName,
    'og:type': 'website',
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:image': image,
    ...(link && { 'og:image:width': PREVIEW.width, 'og:image:height': PREVIEW.height, ...link.tags }),
  }
  return html`<title>${link ? `${title} · ${storeName}` : title}</title>
    <meta name="description" content="${description}" />
    ${link?.isPrivate ? html`<meta name="robots" content="noindex" />` : html`<link rel="canonical" href="${url}" />`}
    ${Object.entries(tags).map(([name, value]) => html`<meta property="${name}" content="${value}" />`)}
    <meta name="twitter:card" content="${link ? 'summary_large_image' : 'summary'}" />
    ${link?.data && trustedHtml(`<script type="application/ld+json">${inScript({ ...link.data, image, url })}</script>`)}`
}

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

/** Serializes JSON that cannot end its script element. */
const inScript = (data: object) => JSON.stringify(data).replaceAll('<', '\\u003c')

/** Cuts a text at the end of a word. */
export const cut = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most).replace(/\s+\S*$/, '')}…` : text

import { coverPath, previewPath, PREVIEW, type Shared, type ShownPreview } from '../../catalogue/preview.server.ts'
import { coverHtml } from '../../catalogue/covers/cover.pages.server.ts'
import { linkedData } from '../../catalogue/linkedData.server.ts'
import type { Preview } from '../../catalogue/previews/previews.contract.ts'
import { MAX_EMAIL_LENGTH } from '../../identity/accounts/email.rules.ts'
import { withReturnTo } from '../../identity/sign-in/returnTo.rules.ts'
import { describeGift, OVER } from '../../aftersale/gifts/gift.texts.rules.ts'
import type { ShownGift } from '../../delivery/gifts/gifts.contract.ts'
import { type Html, html, trustedHtml } from '../../kit/html.server.ts'
import { toCents } from '../../kit/money.ts'
import { formatBytes } from '../../localisation/sizes.rules.ts'
import { priceText, usd } from '../../localisation/usd.rules.ts'
import { describeRated } from '../../catalogue/rated.rules.ts'
import { varsOf } from '../../selling/storefront/colors.rules.ts'
import { initialsHtml, sellerPictureOf, sellerPreviewPath } from '../../selling/storefront/preview.server.ts'
import type { Seller, SellerDesign } from '../../selling/storefront/storefront.contract.ts'

// Parts of the landing page that depend on products. scripts/build.ts retains the style rules of their classes.

/** Shows the three lightest pictures, because the page has a size budget. Needs three products. */
export function fanHtml(products: ShownPreview[]): Html {
  const pictures = products.map((product) => (product.imageUrl ? photoHtml(product.imageUrl) : coverHtml(product)))
  const lightest = pictures.toSorted((a, b) => a.html.length - b.html.length).slice(0, 3)
  const tickets = lightest.map(
    (picture) =>
      html`<div class="ticket">
        <div class="ticket__part"><span class="frame">${picture}</span></div>
      </div>`,
  )
  return html`${tickets.length === 3 && html`<div class="fan" aria-hidden="true">${tickets}</div>`}`
}

/** Shows products that lead to their pages. Their covers are files, so that the page stays in its budget. */
export const lookHtml = (products: ShownPreview[]): Html =>
  html`${
    products.length > 0 &&
    html`<section aria-label="Look around">
      <ul class="look">
        ${products.map(
          (product) =>
            html`<li>
              <a href="/product/${product.id}"
                ><span class="frame">${photoHtml(product.imageUrl ?? coverPath(product.id))}</span
                ><b class="clamp-2">${cut(product.title, MAX_TITLE_LENGTH)}</b
                ><span
                  ><span class="muted">${product.category}</span>
                  <span class="money">${shownPrice(product)}</span></span
                ></a
              >
            </li>`,
        )}
      </ul>
    </section>`
  }`

/** A longer title fills more than two lines. */
const MAX_TITLE_LENGTH = 32

const photoHtml = (src: string) =>
  html`<picture><img src="${src}" width="640" height="480" alt="" loading="lazy" /></picture>`

const SIGN_UP = '/api/login?sign-up'

/** Most visitors of a shared link have no account. This line leads the others to sign-in. */
const haveOne = (path: string) => html`Have one already? <a href="${withReturnTo('/api/login', path)}">Sign in</a>`

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

/** `hasSignUp`: the shop has its own sign-up page, not an identity provider's. */
export type LinkOptions = { hasSignUp: boolean }

export const productLink = (product: Shared, options: LinkOptions): SharedLink => ({
  path: `/product/${product.id}`,
  title: product.title,
  description: product.description ?? '',
  picture: previewPath(product.id),
  sent: sentHtml(product, options),
  tags: { 'og:type': 'product', 'product:price:amount': product.price, 'product:price:currency': 'USD' },
  data: linkedData(product),
})

export const sellerLink = (seller: Seller): SharedLink => ({
  path: `/seller/${seller.handle}`,
  title: seller.name,
  description: seller.bio,
  picture: sellerPreviewPath(seller.handle),
  sent: sellerHtml(seller),
  tags: { 'og:type': 'profile' },
  data: null,
})

export const giftLink = (gift: ShownGift & { path: string }): SharedLink => ({
  // The address of the page without the token of the gift.
  path: '/gift',
  title: `${gift.from} sent you a gift`,
  description: gift.title,
  picture: previewPath(gift.productId),
  sent: giftHtml(gift),
  tags: { 'og:type': 'website' },
  data: null,
  isPrivate: true,
})

function giftHtml(gift: ShownGift & { path: string }): Html {
  const { productId: id, title, categoryId, imageUrl, from, toName, note, state, path } = gift
  const over = state === 'open' ? null : OVER[state]
  return html`<section aria-labelledby="sent">
    <article class="ticket ticket--row sent">
      <div class="ticket__part">
        <span class="frame">
          ${imageUrl ? html`<picture><img src="${imageUrl}" width="640" height="480" alt="" /></picture>` : coverHtml({ id, title, categoryId })}
        </span>
        <div class="stack gap-2">
          <p class="muted small">${from} sent ${toName || 'you'} a gift</p>
          <h1 id="sent">${title}</h1>
          ${note && html`<p>“${note}”</p>`}
          <p class="muted small">${describeGift(gift)}</p>
        </div>
      </div>
      <div class="ticket__part sent__stub">
        ${
          over
            ? html`<p class="row"><b>${over.title}</b></p>
                <p class="muted small">${over.text}</p>`
            : html`<a class="btn btn--primary btn--lg" href="${withReturnTo(SIGN_UP, path)}">Claim your gift</a>
                <p class="muted small">
                  An account is needed to keep it. It is free, and no card is asked for. ${haveOne(path)}
                </p>`
        }
      </div>
    </article>
    <p class="muted small">The link works once, for the first person who claims it.</p>
  </section>`
}

/** The style of a ticket with the colours of a seller's page. */
function styleOf(design: SellerDesign): string {
  const vars = varsOf(design)
  const { '--head': fill, '--on-head': ink } = vars
  const head = fill && ink ? { '--fill': fill, '--muted': 'currentColor', color: ink } : {}
  return Object.entries({ ...vars, ...head })
    .map(([name, value]) => `${name}:${value}`)
    .join(';')
}

function sellerHtml(seller: Seller): Html {
  const { handle, name, bio, rated, products, design } = seller
  const picture = sellerPictureOf(seller)
  const onSale = products === 0 ? 'Nothing on sale at the moment' : `${products} on sale`
  return html`<section aria-labelledby="sent">
    <article class="ticket ticket--row sent" ${design && html` style="${styleOf(design)}"`}>
      <div class="ticket__part">
        <span class="${design?.header ? 'frame frame--banner' : 'frame'}">
          ${picture ? html`<picture><img src="${picture}" width="640" height="480" alt="" /></picture>` : initialsHtml(seller)}
        </span>
        <div class="stack gap-2">
          <p class="muted small">You were sent a seller’s page</p>
          <h1 id="sent">${name}</h1>
          ${bio && html`<p class="muted">${cut(bio, 200)}</p>`}
          <p class="muted small">${[onSale, rated && `Rated ${describeRated(rated)}`].filter(Boolean).join(' · ')}</p>
          ${
            design &&
            design.links.length > 0 &&
            html`<p class="row gap-2">
              ${design.links.map(
                ({ label, url }) =>
                  html`<a class="btn btn--line" href="${url}" target="_blank" rel="noopener noreferrer nofollow ugc"
                    >${label}</a
                  >`,
              )}
            </p>`
          }
        </div>
      </div>
      <div class="ticket__part sent__stub">
        <a class="btn btn--primary btn--lg" href="${withReturnTo('/api/login', `/seller/${handle}`)}"
          >Sign in to browse</a
        >
        <p class="muted small">You come straight back to this page. An account is free.</p>
      </div>
    </article>
    <p class="muted small">Whoever sent the link doesn’t see whether you opened it or bought anything.</p>
  </section>`
}

const SAMPLES: Partial<Record<Preview['kind'], string>> = { audio: 'sound', video: 'film', pdf: 'PDF', epub: 'EPUB' }

/** Samples open without an account. */
const samplesHtml = (samples: Preview[]) =>
  samples.map(
    ({ kind, url, sizeBytes }) =>
      html`<p class="small">
        <a class="link" href="${url}">Download a sample (${SAMPLES[kind]}, ${formatBytes(sizeBytes)})</a>
      </p>`,
  )

function sentHtml(product: Shared, { hasSignUp }: LinkOptions): Html {
  const { id, title, description, price, suggested, imageUrl, categoryId, category, file, samples = [] } = product
  const cost = shownPrice({ priceCents: toCents(price), hasChoice: Boolean(suggested) })
  const format = file && /\.(\w{2,4})$/.exec(file.name)?.[1]?.toUpperCase()
  return html`<section aria-labelledby="sent">
    <article class="ticket ticket--row sent">
      <div class="ticket__part">
        <span class="frame">
          ${imageUrl ? html`<picture><img src="${imageUrl}" width="640" height="480" alt="" /></picture>` : coverHtml({ id, title, categoryId })}
        </span>
        <div class="stack gap-2">
          <p class="muted small">In the shop</p>
          <h1 id="sent">${title}</h1>
          ${description && html`<p class="muted">${cut(description, 200)}</p>`}
          <p class="muted small">
            ${[category, format, file && formatBytes(file.sizeBytes)].filter(Boolean).join(' · ')}
          </p>
          ${samplesHtml(samples)}
        </div>
      </div>
      <div class="ticket__part sent__stub">
        <p class="row row--between">
          <b class="sent__price money">${cost}</b
          ><span class="muted small">${toCents(price) > 0 ? 'One payment, no tax' : ''}</span>
        </p>
        ${signUpHtml(cost === 'Free' ? 'Create an account to get it' : 'Create an account to buy', `/product/${id}`, hasSignUp)}
        <p class="muted small">
          You come straight back to this page. An account is free, and nothing is bought yet.
          ${haveOne(`/product/${id}`)}
        </p>
      </div>
    </article>
    <p class="muted small">If someone sent you this link, they don’t see whether you opened it or bought anything.</p>
  </section>`
}

/** The form of the sign-up page, so that a visitor needs no other page. */
function signUpHtml(label: string, path: string, hasSignUp: boolean): Html {
  if (!hasSignUp) return html`<a class="btn btn--primary btn--lg" href="${withReturnTo(SIGN_UP, path)}">${label}</a>`
  return html`<form class="stack gap-2" method="post" action="${withReturnTo('/api/login/sign-up', path)}">
    <div class="field">
      <label for="email">Email</label>
      <input
        class="input"
        id="email"
        name="email"
        type="email"
        autocomplete="username"
        spellcheck="false"
        maxlength="${MAX_EMAIL_LENGTH}"
        required
      />
    </div>
    <button class="btn btn--primary btn--lg">${label}</button>
    <p class="muted small">You accept the <a href="/terms">terms</a> and the <a href="/refunds">refund rules</a>.</p>
  </form>`
}

function shownPrice({ priceCents, hasChoice }: Pick<ShownPreview, 'priceCents' | 'hasChoice'>): string {
  if (!hasChoice) return priceText(priceCents)
  return priceCents === 0 ? 'Name your price' : `From ${usd(priceCents)}`
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

/** Serializes JSON that cannot end its script element. */
const inScript = (data: object) => JSON.stringify(data).replaceAll('<', '\\u003c')

const cut = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most).replace(/\s+\S*$/, '')}…` : text

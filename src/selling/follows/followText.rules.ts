import { plural } from '../../localisation/plural.rules.ts'

/** Maximum number of titles in a mail about one seller. */
export const MAX_TITLES = 10
/** Maximum number of titles of each seller in a mail about several. */
const MAX_TITLES_EACH = 3
const MAX_SELLERS = 10
const MAX_SELLERS_IN_SUBJECT = 2

/** New products of a seller: their number, and the first titles. */
export type New = { seller: string; count: number; titles: string[] }

const quoted = (title: string) => `“${title}”`
const many = (count: number) => plural(count, 'new product')

export function subjectOf(sellers: New[]): string {
  const count = sellers.reduce((sum, one) => sum + one.count, 0)
  const [{ seller, titles: [title = ''] = [] } = { seller: '' }] = sellers
  if (sellers.length === 1 && count === 1) return `New from ${seller}: ${quoted(title)}`
  const left = sellers.length - MAX_SELLERS_IN_SUBJECT
  const names = sellers.slice(0, MAX_SELLERS_IN_SUBJECT).map((one) => one.seller)
  const from = left > 0 ? `${names.join(', ')} and ${plural(left, 'more seller')}` : names.join(' and ')
  return `${many(count)} from ${from}`
}

export function linesOf(sellers: New[]): string[] {
  const [only, ...others] = sellers
  return only && others.length === 0 ? linesOfOne(only) : linesOfMany(sellers)
}

function linesOfOne({ seller, count, titles }: New): string[] {
  const left = count - titles.length
  return [
    count === 1 ? `${seller} has published a new product.` : `${seller} has published ${many(count)}.`,
    ...titles.map(quoted),
    ...(left > 0 ? [`And ${left.toLocaleString('en')} more.`] : []),
    `We send this mail because you follow ${seller}, at most one such mail a day.`,
  ]
}

function linesOfMany(sellers: New[]): string[] {
  const left = sellers.length - MAX_SELLERS
  return [
    'Sellers you follow have published new products.',
    ...sellers.slice(0, MAX_SELLERS).map(describeNew),
    ...(left > 0 ? [`And new products from ${plural(left, 'more seller')}.`] : []),
    'We send this mail because you follow these sellers, at most one such mail a day. Email Preferences on your profile lists them.',
  ]
}

/** Formats 'Ada P.: “A song”, “A film” and 3 more'. */
function describeNew({ seller, count, titles }: New): string {
  const shown = titles.slice(0, MAX_TITLES_EACH).map(quoted)
  const left = count - shown.length
  return `${seller}: ${shown.join(', ')}${left > 0 ? ` and ${left.toLocaleString('en')} more` : ''}`
}

export const pathOf = ({ count, productId, handle }: { count: number; productId: string; handle: string }): string =>
  count === 1 ? `/product/${productId}` : `/seller/${handle}`

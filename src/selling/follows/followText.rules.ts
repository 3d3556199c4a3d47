import { plural } from '../../localisation/plural.rules.ts'

/** Maximum number of titles in a mail. */
export const MAX_TITLES = 10

/** New products of a seller: their number, and the first titles. */
export type New = { seller: string; count: number; titles: string[] }

const quoted = (title: string) => `“${title}”`

export const subjectOf = ({ seller, count, titles: [first = ''] }: New): string =>
  count === 1 ? `New from ${seller}: ${quoted(first)}` : `${plural(count, 'new product')} from ${seller}`

export function linesOf({ seller, count, titles }: New): string[] {
  const left = count - titles.length
  return [
    count === 1 ? `${seller} has published a new product.` : `${seller} has published ${plural(count, 'new product')}.`,
    ...titles.map(quoted),
    ...(left > 0 ? [`And ${left.toLocaleString('en')} more.`] : []),
    `We send this mail because you follow ${seller}, at most one such mail a day.`,
  ]
}

export const pathOf = ({ count, productId, handle }: { count: number; productId: string; handle: string }): string =>
  count === 1 ? `/product/${productId}` : `/seller/${handle}`

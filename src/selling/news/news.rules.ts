import { priceText, usd } from '../../localisation/usd.rules.ts'

/** True if the last sales reduced the codes to the seller's limit or sold the last code. False if none was sold. */
export const hasRunLow = (left: number, sold: number, lowAt: number): boolean =>
  sold > 0 && ((left <= lowAt && left + sold > lowAt) || left === 0)

export type Line = { title: string; quantity: number; cents: number }

const many = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

export const sumOf = (lines: Line[]): number => lines.reduce((sum, { cents }) => sum + cents, 0)

export const linesText = (lines: Line[]): string[] =>
  lines.map(({ title, quantity, cents }) => `${quantity} × ${title}: ${priceText(cents)}`)

export const saleSubject = (lines: Line[]): string => {
  const isOne = lines.length === 1
  if (sumOf(lines) === 0)
    return isOne ? 'A buyer got your product for free' : `A buyer got ${lines.length} products for free`
  return `You made ${isOne ? 'a sale' : many(lines.length, 'sale')}: ${usd(sumOf(lines))}`
}

export const refundSubject = (lines: Line[]): string =>
  `${lines.length === 1 ? 'A sale was' : `${many(lines.length, 'sale')} were`} refunded: ${usd(sumOf(lines))}`

export const titleOf = ([first, ...rest]: Line[]): string =>
  rest.length === 0 ? first!.title : `${first!.title} and ${rest.length} more`

export const lowText = (title: string, left: number): string =>
  left === 0 ? `“${title}” is sold out.` : `“${title}” has ${many(left, 'code')} left.`

export type Digest = {
  sales: number
  soldCents: number
  refunds: number
  refundedCents: number
  reviews: number
  low: number
}

export const digestText = ({ sales, soldCents, refunds, refundedCents, reviews, low }: Digest): string[] => [
  ...(sales > 0 ? [`${many(sales, 'sale')}, revenue ${usd(soldCents)}.`] : []),
  ...(refunds > 0 ? [`${many(refunds, 'refund')}: ${usd(refundedCents)}.`] : []),
  ...(reviews > 0 ? [`${many(reviews, 'new review')}.`] : []),
  ...(low > 0 ? [`${many(low, 'product')} ran low on codes.`] : []),
]

import type { Analysis } from './analysis.contract.ts'
import type { Category } from '../catalogue.contract.ts'
import { toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { readPrice } from '../price.rules.ts'

export type Details = { price: string; categoryId: string }
/** `text` is the suggestion, `basis` its source. `categoryId` is empty if the store lacks the category. */
export type Suggestion = Details & { text: string; basis: string; nearest: Analysis['nearest'] }

export function suggestionOf(analysis: Analysis, categories: Category[]): Suggestion {
  const { category, suggestedPrice, lowestPrice, highestPrice, products } = analysis
  const wanted = category.toLowerCase()
  const match = categories.find(({ name }) => name.toLowerCase().includes(wanted))
  const [price, lowest, highest] = [suggestedPrice, lowestPrice, highestPrice].map((decimal) => usd(toCents(decimal)))
  const where = match ? ` in ${match.name}` : ''
  const basis =
    products === 1
      ? `Based on one similar product${where}, priced at ${price}.`
      : `Based on ${products} similar products${where}, mostly priced from ${lowest} to ${highest}.`
  const text = match ? `${match.name}, ${price}` : `${price}`
  return { categoryId: match?.id ?? '', price: suggestedPrice, text, basis, nearest: analysis.nearest }
}

export const fillEmpty = (chosen: Details, suggested: Details): Details => ({
  price: chosen.price.trim() || suggested.price,
  categoryId: chosen.categoryId || suggested.categoryId,
})

export const takeAll = (chosen: Details, suggested: Details): Details => ({
  price: suggested.price,
  categoryId: suggested.categoryId || chosen.categoryId,
})

export const isSame = (one: Details, other: Details): boolean =>
  one.categoryId === other.categoryId && priceOf(one) === priceOf(other)

/** Returns the seller's own values. A field that still shows an earlier suggestion counts with its previous value. */
export const chosenIn = (now: Details, earlier: { before: Details; put: Details } | null): Details =>
  earlier
    ? {
        price: priceOf(now) === priceOf(earlier.put) ? earlier.before.price : now.price,
        categoryId: now.categoryId === earlier.put.categoryId ? earlier.before.categoryId : now.categoryId,
      }
    : now

const priceOf = ({ price }: Details) => {
  const read = readPrice(price)
  return Number.isNaN(Number(read)) || read === '' ? read : Number(read)
}

import type { Analysis } from './analysis.contract.ts'
import type { Category } from '../catalogue.contract.ts'
import { readPrice } from '../price.rules.ts'

/** What an analysis can put into the form; an empty text is a field that nobody has filled. */
export type Details = { price: string; categoryId: string }
/** `text` says what is suggested, `basis` where it comes from. `categoryId` is empty when the shop has no such category. */
export type Suggestion = Details & { text: string; basis: string }

/** What an analysis means for the form. The category is found by a part of its name, whatever the case. */
export function suggestionOf(analysis: Analysis, categories: Category[]): Suggestion {
  const { category, suggestedPrice, lowestPrice, highestPrice, products } = analysis
  const wanted = category.toLowerCase()
  const match = categories.find(({ name }) => name.toLowerCase().includes(wanted))
  const where = match ? ` in ${match.name}` : ''
  const basis =
    products === 1
      ? `Based on one similar product${where}, priced at $${suggestedPrice}.`
      : `Based on ${products} similar products${where}, priced from $${lowestPrice} to $${highestPrice}.`
  const text = match ? `${match.name}, $${suggestedPrice}` : `$${suggestedPrice}`
  return { categoryId: match?.id ?? '', price: suggestedPrice, text, basis }
}

/** What the form holds once a suggestion is in: its empty fields filled, what somebody chose kept. */
export const fillEmpty = (chosen: Details, suggested: Details): Details => ({
  price: chosen.price.trim() || suggested.price,
  categoryId: chosen.categoryId || suggested.categoryId,
})

/** What the form holds once the whole suggestion is taken. */
export const takeAll = (chosen: Details, suggested: Details): Details => ({
  price: suggested.price,
  categoryId: suggested.categoryId || chosen.categoryId,
})

export const isSame = (one: Details, other: Details): boolean =>
  one.categoryId === other.categoryId && priceOf(one) === priceOf(other)

/** What somebody has chosen: where the form still holds what an earlier suggestion put in, that is what was there before. */
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

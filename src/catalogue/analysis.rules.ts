import type { Analysis } from './analysis.contract.ts'
import type { Category } from './catalogue.contract.ts'

export type Suggestion = { categoryId: string | null; price: string; text: string }

/** What an analysis means for the form. The category is found by a part of its name, whatever the case. */
export function suggestionOf(analysis: Analysis, categories: Category[]): Suggestion {
  const { category, suggestedPrice, lowestPrice, highestPrice, products } = analysis
  const wanted = category.toLowerCase()
  const match = categories.find(({ name }) => name.toLowerCase().includes(wanted))
  const where = match ? ` in ${match.name}` : ''
  const range =
    products === 1
      ? `The product nearest to it${where} costs $${suggestedPrice}.`
      : `${products} products near it${where} cost $${lowestPrice} to $${highestPrice}; $${suggestedPrice} is the middle.`
  return { categoryId: match?.id ?? null, price: suggestedPrice, text: range }
}

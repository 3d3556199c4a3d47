/** A listed product with its similarity to a description, from 0 to 1: `words` by shared words, `meaning` by sense. */
export type Rated = {
  id: string
  title: string
  categoryId: string
  category: string
  cents: number
  words: number
  meaning: number
}

export type Near = {
  category: string
  median: number
  lowest: number
  highest: number
  products: number
  nearest: { id: string; title: string; cents: number }[]
}

const MANY = 9
const FOR_PRICE = 5
const MIN_SCORE = 0.3
const MAX_REASONS = 3

const nearness = ({ words, meaning }: Rated) => 0.55 * words + Math.max(0, meaning - 0.15)

export function quantile(sorted: number[], part: number): number {
  const at = (sorted.length - 1) * part
  const [low = NaN, high = NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return Math.round(low + (high - low) * (at - Math.floor(at)))
}

/**
 * Suggests the category of the nearest products and a price between its quartiles. Null if no product is near. Each
 * product votes with the square of its similarity, so that the nearest weigh most.
 */
export function suggestFrom(all: Rated[]): Near | null {
  const near = all
    .map((product) => ({ ...product, score: nearness(product) }))
    .filter(({ score }) => score >= MIN_SCORE)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MANY)
  const votes = new Map<string, number>()
  for (const { categoryId, score } of near) votes.set(categoryId, (votes.get(categoryId) ?? 0) + score ** 2)
  const [[categoryId] = []] = [...votes].toSorted(([, a], [, b]) => b - a)
  const own = near.filter((product) => product.categoryId === categoryId)
  const [nearest] = own
  if (!nearest) return null
  const prices = own
    .slice(0, FOR_PRICE)
    .map(({ cents }) => cents)
    .toSorted((a, b) => a - b)
  const shelf = all
    .filter((product) => product.categoryId === categoryId)
    .map(({ cents }) => cents)
    .toSorted((a, b) => a - b)
  const [from, to] = [quantile(shelf, 0.25), quantile(shelf, 0.75)]
  const median = Math.min(to, Math.max(from, quantile(prices, 0.5)))
  return {
    category: nearest.category,
    median,
    lowest: Math.min(from, median),
    highest: Math.max(to, median),
    products: own.length,
    nearest: own.slice(0, MAX_REASONS).map(({ id, title, cents }) => ({ id, title, cents })),
  }
}

import { toCents } from '../../kit/money.ts'
import { MAX_CHOSEN_CENTS, POSITIVE, priceProblem, TOO_MUCH } from '../price.rules.ts'

/** The seller's terms. If buyers choose the price, `price` is the minimum and `suggested` the suggestion. */
export type Asking = { price: string; suggested?: string | null | undefined }

export function askingProblems({ price, suggested }: Asking): { price?: string; suggested?: string } {
  const wrongPrice = priceProblem(price, { mayBeFree: true })
  if (wrongPrice) return { price: wrongPrice }
  if (suggested === null || suggested === undefined) return {}
  const least = toCents(price)
  if (least > MAX_CHOSEN_CENTS) return { price: TOO_MUCH }
  const wrong = priceProblem(suggested)
  if (wrong) return { suggested: wrong === POSITIVE ? 'Suggest a price above zero' : wrong }
  if (toCents(suggested) > MAX_CHOSEN_CENTS) return { suggested: TOO_MUCH }
  return toCents(suggested) < least ? { suggested: 'Suggest at least the minimum' } : {}
}

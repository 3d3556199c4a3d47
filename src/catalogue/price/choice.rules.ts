import { toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { MAX_CHOSEN_CENTS, priceProblem, TOO_HIGH, TOO_MUCH, TWO_DECIMALS } from '../price.rules.ts'

export function chosenProblem(price: string, leastCents: number): string | null {
  const problem = priceProblem(price, { mayBeFree: true })
  if (problem === TOO_HIGH) return TOO_MUCH
  if (problem === TWO_DECIMALS) return 'At most two decimals'
  if (problem) return 'Write an amount like 5.00'
  const cents = toCents(price)
  if (cents < leastCents) return `Pay at least ${usd(leastCents)}`
  return cents > MAX_CHOSEN_CENTS ? TOO_MUCH : null
}

/** The amounts offered to buyers who choose the price: the minimum, the suggestion and its double, without zero. */
export function amountsOffered(leastCents: number, suggestedCents: number): number[] {
  const amounts = [leastCents, suggestedCents, suggestedCents * 2]
  return [...new Set(amounts)].filter((cents) => cents > 0 && cents <= MAX_CHOSEN_CENTS)
}

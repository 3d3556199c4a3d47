import type { DiscountProblem } from '../cart.contract.ts'

const WORDS: Record<DiscountProblem, (code: string) => string> = {
  used_up: (code) => `${code} is used up.`,
  spent: (code) => `You’ve used ${code} as often as it allows. An order that waits for its payment counts, too.`,
  not_first: (code) => `${code} is for a first purchase from its seller.`,
  ended: (code) => `${code} has ended.`,
  paused: (code) => `The seller has paused ${code}.`,
  planned: (code) => `${code} hasn’t started yet.`,
}

export const describeProblem = (code: string, problem: DiscountProblem): string => WORDS[problem](code)

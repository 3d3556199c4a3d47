import type { DiscountWords } from '../../cart/discounts/ownDiscounts.contract.ts'

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 10
const DAYS = 30

/** A code that nobody guesses, from random numbers below 2^32. 32 letters divide them evenly. */
export const copyCode = (numbers: Uint32Array): string =>
  `COPY${[...numbers.slice(0, LENGTH)].map((number) => LETTERS[number % LETTERS.length]).join('')}`

/** A discount code with which one member gets one copy for nothing. Checkout gives no second copy for nothing. */
export const copyTerms = (productId: string, code: string, now: number): DiscountWords => ({
  ...{ code, percent: 100, amount: null, productIds: [productId], isFirstOnly: false },
  ...{ startsAt: null, endsAt: new Date(now + DAYS * 86_400_000).toISOString(), mostUses: 1, mostPerBuyer: 1 },
})

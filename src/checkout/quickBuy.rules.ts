import { toCents } from '../kit/money.ts'

const MUCH_CENTS = 1000_00
const MANY = 10

export const copiesOf = (items: { quantity: number }[]): number =>
  items.reduce((sum, { quantity }) => sum + quantity, 0)

/** Whether Quick Buy asks once before: more than $1,000, or more than ten copies of one product. */
export const asksFirst = (items: { quantity: number }[], total: string): boolean =>
  toCents(total) > MUCH_CENTS || items.some(({ quantity }) => quantity > MANY)

import { expect } from 'vitest'
import type { ReceiptRow } from '../src/purchases/receipt.rules.ts'

const centsOf = (text: string) =>
  text === 'Free' ? 0 : Math.round(Number(text.replace('−', '-').replace(/[$,+]/g, '')) * 100)

/** Expects that each total equals the previous total plus the rows between them. */
export function expectToAddUp(rows: ReceiptRow[]) {
  let sum = 0
  for (const { text, isTotal, name } of rows) {
    if (isTotal) expect(centsOf(text), `${name} of ${JSON.stringify(rows)}`).toBe(sum)
    else sum += centsOf(text)
  }
}

/** Returns the money that the buyer paid and did not get back, as shown on the receipt. */
export const shownRest = (rows: ReceiptRow[]): number => centsOf(rows.findLast(({ isTotal }) => isTotal)!.text)

import { expect } from 'vitest'
import type { ReceiptRow } from './receipt.rules.ts'

const centsOf = (text: string) =>
  text === 'Free' ? 0 : Math.round(Number(text.replace('−', '-').replace(/[$,+]/g, '')) * 100)

/** Expects that the shown rows between two totals add up to the second one. */
export function expectToAddUp(rows: ReceiptRow[]) {
  let sum = 0
  for (const { text, isTotal, name } of rows) {
    if (isTotal) expect(centsOf(text), `${name} of ${JSON.stringify(rows)}`).toBe(sum)
    else sum += centsOf(text)
  }
}

/** The money that the buyer has paid and not got back, as the receipt shows it. */
export const shownRest = (rows: ReceiptRow[]): number => centsOf(rows.findLast(({ isTotal }) => isTotal)!.text)

import { inTransaction } from '../src/kit/database.server.ts'
import { giveCredit } from '../src/payments/credit.server.ts'
import { getCredit } from '../src/payments/credit.contract.ts'
import { findViolations } from '../drill/invariants.ts'
import type { SandboxCapture } from '../sandbox/capture.contract.ts'
import { provider } from './provider.ts'
import type { Person, TestShop } from './shop.ts'

/** Gives store credit as staff do. */
export const give = ({ database: { db } }: TestShop, { id: userId }: Person, amountCents: number) =>
  inTransaction(db, (tx) => giveCredit(tx, { userId, amountCents, why: 'for a test' }))

/** Returns the credit history as texts, oldest first: 'given 5.00'. */
export async function historyOf(person: Person): Promise<string[]> {
  const { entries } = await person.call(getCredit, {})
  return entries.map(({ kind, amount }) => `${kind} ${amount}`).reverse()
}

export const balanceOf = async (person: Person): Promise<string> => (await person.call(getCredit, {})).balance

/** Returns the violations in the shop's ledger and records. */
export async function wrongBooks(shop: TestShop): Promise<string[]> {
  const captures = (await provider(shop).captures()) as SandboxCapture[]
  return findViolations(shop.databaseUrl, captures, { isOver: false })
}

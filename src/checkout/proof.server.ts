import type { Tx } from '../kit/database.server.ts'
import { proofMissing } from '../kit/contract.ts'
import { readSpending } from './checkout.statements.server.ts'
import { asksProof } from './place.rules.ts'
import { only } from '../kit/values/required.ts'

type Spending = { orderId: string; userId: string; savedCents: number; isProven: boolean }

/** Requires a fresh proof before a saved wallet or credit pays, because a stolen session must not empty them. */
export async function demandProofFor(tx: Tx, { orderId, userId, savedCents, isProven }: Spending) {
  if (isProven || savedCents === 0) return
  const spending = only(await readSpending(tx, { orderId, userId }))
  if (asksProof({ savedCents, ...spending })) throw proofMissing()
}

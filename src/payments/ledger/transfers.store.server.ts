import type { Selectable } from 'kysely'
import type { Tx } from '../../kit/database.server.ts'
import type { PaymentsTable } from '../../kit/tables.ts'

export type Entry = { account: string; amountCents: number }

export const transferOf = (paymentId: string | null, entries: Entry[], transferId: string = crypto.randomUUID()) =>
  entries.map((entry) => ({ transferId, paymentId, ...entry }))

/** Writes a transfer with entries that sum to zero. Positive amounts are assets of the shop, negative ones debts. */
export async function recordTransfer(tx: Tx, paymentId: string | null, entries: Entry[], transferId?: string) {
  await tx
    .insertInto('ledgerEntries')
    .values(transferOf(paymentId, entries, transferId))
    .execute()
}

export const providerAccount = ({ provider, mode }: Pick<Selectable<PaymentsTable>, 'provider' | 'mode'>) =>
  `provider:${provider}:${mode}`
export const FEES = 'fees'
export const sellerAccount = (sellerId: string) => `seller:${sellerId}`

import type { Selectable } from 'kysely'
import type { Tx } from '../../kit/database.server.ts'
import type { PaymentsTable } from '../../kit/tables.ts'

export type Entry = { account: string; amountCents: number }

export const transferOf = (paymentId: string | null, entries: Entry[], transferId: string = crypto.randomUUID()) =>
  entries.map((entry) => ({ transferId, paymentId, ...entry }))

/** Writes one transfer, whose entries add up to zero. Positive is money the shop holds, negative is money it owes. */
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

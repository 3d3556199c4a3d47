// Made by `npm run tables` from sellerBalance.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('sellerBalance.sql', import.meta.url))

export type ReadBalanceInput = { account: string; sellerId: string }
export type ReadBalanceRow = { pendingCents: number; availableCents: number; paidOutCents: number }
// Computes the balance in one snapshot of ledger and held sales. Entries without a payment are payouts. A disputed sale is
// pending until the dispute ends, even if it was paid out. Refunds under way of available sales are no longer available.
export const readBalance = find<ReadBalanceInput, ReadBalanceRow>('readBalance')

export type LockAccountsInput = { accounts: string[] }
export type LockAccountsRow = { lock: unknown }
// Locks the accounts in order until the transaction ends.
export const lockAccounts = find<LockAccountsInput, LockAccountsRow>('lockAccounts')

import type { Tx } from '../../kit/database.server.ts'
import { providerAccount, recordTransfer } from '../ledger/transfers.store.server.ts'
import type { Payment } from '../payments.store.server.ts'
import * as statements from './unusedMoney.statements.server.ts'

// Captured money that bought no goods stays in a separate account until it is refunded. Each other currency has
// separate accounts, so that no sum mixes currencies.

const UNUSED = 'unused'

const suffixOf = (currency: string) => (currency === 'USD' ? '' : `:${/^[A-Z]{3}$/.test(currency) ? currency : 'XXX'}`)

export async function holdUnused(tx: Tx, payment: Payment, taken: { amountCents: number; currency: string }) {
  const { amountCents } = taken
  if (amountCents === 0) return
  const suffix = suffixOf(taken.currency)
  await recordTransfer(tx, payment.id, [
    { account: providerAccount(payment) + suffix, amountCents },
    { account: UNUSED + suffix, amountCents: -amountCents },
  ])
}

/** Records a refund of unused money. The ledger contains its currency and remaining amount. */
export async function returnUnused(tx: Tx, payment: Payment, amountCents: number) {
  const [held] = await statements.listUnused(tx, { paymentId: payment.id })
  if (!held) return
  const cents = Math.min(amountCents, held.cents)
  await recordTransfer(tx, payment.id, [
    { account: held.account, amountCents: cents },
    { account: providerAccount(payment) + held.account.slice(UNUSED.length), amountCents: -cents },
  ])
}

/** Returns the currency suffix of a payment's unused-money accounts: '' for US dollars, ':EUR' for euros. */
export async function readSuffix(tx: Tx, paymentId: string): Promise<string> {
  const [unused] = await statements.findAccount(tx, { paymentId })
  return unused?.account.slice(UNUSED.length) ?? ''
}

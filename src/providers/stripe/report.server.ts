import type Stripe from 'stripe'
import type { FeeLine, Report, ReportLine } from '../../payments/ledger/report.ts'
import type { Client } from './client.server.ts'

const KINDS: Record<string, ReportLine['kind']> = { charge: 'payment', refund: 'refund', dispute: 'dispute' }
const DAY_SECONDS = 86_400

/** Reads the movements of a UTC day, with the amounts of the charges: the account may use another currency. */
export async function readReport({ ask }: Client, day: string): Promise<Report> {
  const from = Date.parse(`${day}T00:00:00Z`) / 1000
  const movements = await ask(async (stripe) => {
    const found: Stripe.BalanceTransaction[] = []
    const query = { created: { gte: from, lt: from + DAY_SECONDS }, limit: 100, expand: ['data.source'] }
    for await (const movement of stripe.balanceTransactions.list(query)) found.push(movement)
    return found
  })
  return { kind: 'lines', lines: movements.flatMap(lineOf), fees: movements.flatMap(feesOf), hasPending: false }
}

function lineOf({ reporting_category: category, source, created }: Stripe.BalanceTransaction): ReportLine[] {
  const kind = KINDS[category]
  if (!kind || typeof source !== 'object' || source === null) return []
  const { id: ref, amount, currency } = source as { id: string; amount: number; currency: string }
  return [{ kind, ref, amountCents: amount, currency: currency.toUpperCase(), at: new Date(created * 1000) }]
}

/** Fees without a payment. */
const FEES = new Set(['fee', 'network_cost'])

type BalanceMovement = Pick<
  Stripe.BalanceTransaction,
  'id' | 'fee' | 'amount' | 'currency' | 'exchange_rate' | 'reporting_category' | 'created'
>

/**
 * Returns the fee of a movement, or the movement itself if it is a fee. Stripe reports fees in the account's currency,
 * so fees with an exchange rate are converted to USD.
 */
export function feesOf({
  id: ref,
  fee,
  amount,
  reporting_category: category,
  created,
  ...money
}: BalanceMovement): FeeLine[] {
  const taken = fee - (FEES.has(category) ? amount : 0)
  if (taken === 0) return []
  const at = new Date(created * 1000)
  const { currency, exchange_rate: rate } = money
  if (currency === 'usd' || !rate) return [{ ref, amountCents: taken, currency: currency.toUpperCase(), at }]
  return [{ ref, amountCents: Math.round(taken / rate), currency: 'USD', at }]
}

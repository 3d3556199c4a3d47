import type Stripe from 'stripe'
import type { ReportLine } from '../provider.ts'
import type { Client } from './client.server.ts'

const KINDS: Record<string, ReportLine['kind']> = { charge: 'payment', refund: 'refund', dispute: 'dispute' }
const DAY_SECONDS = 86_400

/** What moved on a UTC day. The account may settle in another currency, so amounts are those of the charge or refund itself. */
export async function readReport({ ask }: Client, day: string): Promise<ReportLine[]> {
  const from = Date.parse(`${day}T00:00:00Z`) / 1000
  const movements = await ask(async (stripe) => {
    const found: Stripe.BalanceTransaction[] = []
    const query = { created: { gte: from, lt: from + DAY_SECONDS }, limit: 100, expand: ['data.source'] }
    for await (const movement of stripe.balanceTransactions.list(query)) found.push(movement)
    return found
  })
  return movements.flatMap(({ reporting_category: category, source, created }) => {
    const kind = KINDS[category]
    if (!kind || typeof source !== 'object' || source === null) return []
    const { id: ref, amount, currency } = source as { id: string; amount: number; currency: string }
    return [{ kind, ref, amountCents: amount, currency: currency.toUpperCase(), at: new Date(created * 1000) }]
  })
}

import { query, queryClient } from '../kit/query/query.client.ts'
import { toast } from '../ui/toasts/toast.client.ts'
import { describeConversion } from './currencies.rules.ts'
import type { Currency } from './currency.rules.ts'
import { getRates, type Rates } from './localisation.contract.ts'

export async function reportConversion(shown: Currency) {
  const { readAt, updatedAt }: Partial<Rates> = await queryClient.fetchQuery(query(getRates, {})).catch(() => ({}))
  const description = describeConversion(shown, readAt?.[shown.code] ?? updatedAt, Date.now())
  toast({ title: 'Auto-converted', description, tone: 'plain' })
}

import { sql } from 'kysely'
import type { Tx } from '../../kit/database.server.ts'
import { providerAccount, recordTransfer } from '../ledger/transfers.store.server.ts'
import type { FeeLine } from '../ledger/report.ts'
import type { Provider } from '../provider.ts'

const costsAccount = ({ name, mode }: Pick<Provider, 'name' | 'mode'>) => `costs:${name}:${mode}`

/** The ledger is in USD, so the shop cannot book fees in another currency. */
export const isBookable = ({ currency }: FeeLine) => currency === 'USD'

/** Books the fees in USD that the ledger lacks, as one transfer from the provider to the shop's costs. */
export async function bookFees(tx: Tx, provider: Pick<Provider, 'name' | 'mode'>, all: FeeLine[]): Promise<void> {
  const fees = all.filter(isBookable)
  const { name, mode } = provider
  const transferId = crypto.randomUUID()
  const { rows } = await sql<{
    amountCents: number
  }>`INSERT INTO provider_fees (provider, mode, ref, amount_cents, charged_at, transfer_id)
    SELECT ${name}, ${mode}, ref, sum(amount_cents), min(charged_at), ${transferId}::uuid FROM unnest(${fees.map(({ ref }) => ref)}::text[],
      ${fees.map(({ amountCents }) => amountCents)}::bigint[], ${fees.map(({ at }) => at)}::timestamptz[]) fee (ref, amount_cents, charged_at)
    GROUP BY ref HAVING sum(amount_cents) <> 0 ON CONFLICT DO NOTHING RETURNING amount_cents`.execute(tx)
  const cents = rows.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (cents === 0) return
  const entries = [
    { account: providerAccount({ provider: name, mode }), amountCents: -cents },
    { account: costsAccount(provider), amountCents: cents },
  ]
  await recordTransfer(tx, null, entries, transferId)
}

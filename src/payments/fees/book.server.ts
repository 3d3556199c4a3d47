import type { Tx } from '../../kit/database.server.ts'
import { providerAccount, recordTransfer } from '../ledger/transfers.store.server.ts'
import type { FeeLine } from '../ledger/report.ts'
import type { Provider } from '../provider.ts'
import { recordFees } from './fees.statements.server.ts'

const costsAccount = ({ name, mode }: Pick<Provider, 'name' | 'mode'>) => `costs:${name}:${mode}`

/** The ledger is in USD, so the shop cannot book fees in another currency. */
export const isBookable = ({ currency }: FeeLine) => currency === 'USD'

/** Records the USD fees that the ledger lacks, as one transfer from the provider to the shop's costs. */
export async function bookFees(tx: Tx, provider: Pick<Provider, 'name' | 'mode'>, all: FeeLine[]): Promise<void> {
  const fees = all.filter(isBookable)
  const { name, mode } = provider
  const transferId = crypto.randomUUID()
  const rows = await recordFees(tx, {
    ...{ provider: name, mode, transferId },
    refs: fees.map(({ ref }) => ref),
    cents: fees.map(({ amountCents }) => amountCents),
    times: fees.map(({ at }) => at),
  })
  const cents = rows.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (cents === 0) return
  const entries = [
    { account: providerAccount({ provider: name, mode }), amountCents: -cents },
    { account: costsAccount(provider), amountCents: cents },
  ]
  await recordTransfer(tx, null, entries, transferId)
}

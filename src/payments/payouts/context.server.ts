import type { Config } from '../../kit/config.server.ts'
import type { Database } from '../../kit/database.server.ts'
import { createSeal } from '../../kit/seal.server.ts'
import type { PaymentsConfig } from '../payments.settings.server.ts'
import type { Providers } from '../provider.ts'
import type { DetailsInput } from './payouts.contract.ts'
import type { PayoutRow } from './payouts.store.server.ts'
import type { Method } from './payout.rules.ts'

export type Payouts = Database & {
  config: Pick<Config & PaymentsConfig, 'storeName' | 'payouts'>
  providers: Pick<Providers, 'list' | 'named'>
  publicUrl: string
  seal: (details: DetailsInput, ownerId: string) => Buffer
  /** Decrypts the details of a payout. Throws if SECRET has changed. */
  open: (payout: Pick<PayoutRow, 'sealed' | 'sellerId'>) => DetailsInput
}

type PayoutsInput = Database & Pick<Payouts, 'config' | 'providers' | 'publicUrl'> & { secret: string }

export function createPayouts({ db, pool, config, providers, publicUrl, secret }: PayoutsInput): Payouts {
  const details = createSeal(secret, 'payout details')
  return {
    ...{ db, pool, config, providers, publicUrl },
    seal: (plain, ownerId) => details.seal(JSON.stringify(plain), ownerId),
    open: ({ sealed, sellerId }) => {
      const plain = sealed && details.open(sealed, sellerId)
      if (!plain) throw new Error('payout details do not open: SECRET has changed')
      return JSON.parse(plain.toString()) as DetailsInput
    },
  }
}

export const payingOf = ({ list }: Pick<Providers, 'list'>) => list.find(({ payOut }) => payOut)

export const methodsOf = ({ providers, config }: Pick<Payouts, 'providers' | 'config'>): Method[] => [
  ...(payingOf(providers) ? (['paypal'] as const) : []),
  ...(config.payouts.bank ? (['bank'] as const) : []),
]

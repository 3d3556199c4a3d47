import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export const GRACE_DAYS = 14

export type Leaving = z.infer<typeof Leaving>
/** `money` describes the effects of a deletion on the account's money. `hold`: why it cannot be deleted yet. */
export const Leaving = z.object({
  money: z.array(z.string()),
  hold: z.nullable(z.string()),
  canPayOut: z.boolean(),
})

export const getLeaving = endpoint('GET /api/account/deletion', {
  access: 'member',
  about:
    'Describes the effects of a deletion on the money of the account: balance, pending sales, payouts and store credit.',
  reply: Leaving,
})

export const requestDeletion = endpoint('POST /api/account/deletion', {
  access: 'member',
  stepUp: true,
  about: `Mails a link that asks for confirmation. Confirming takes the products of the account off sale and schedules the deletion, at least ${GRACE_DAYS} days later. Signing in cancels the deletion. 409 \`money_under_way\` while a payout is under way.`,
  reply: z.object({ sentTo: z.string() }),
  status: 202,
})

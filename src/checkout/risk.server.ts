import { Failure } from '../kit/failure.ts'
import type { Caller } from '../kit/handle.server.ts'
import type { Visitor } from '../risk/risk.server.ts'
import type { Checkout } from './context.server.ts'

export const STOPPED = new Failure(
  409,
  'We could not accept this payment. Nothing was charged. Message us and a person will look at it.',
  'payment_refused',
)

export const isStopped = (error: unknown) =>
  error instanceof Failure && (error.code === 'payment_refused' || error.code === 'payments_paused')
/** True for the refusal that needs the buyer's confirmation. */
export const isConfirmable = (error: unknown) => error instanceof Failure && error.code === 'confirm_needed'

export async function visitorOf({ countryOf }: Checkout, caller: Caller<'member'>): Promise<Visitor> {
  return { userId: caller.user.id, ip: caller.ip, country: await countryOf(caller) }
}

export const refusalOf = (word: 'refuse' | 'confirm', orderId: string): Failure =>
  word === 'refuse'
    ? STOPPED
    : new Failure(
        409,
        'Please confirm on your order that it is you, then finish the payment. Nothing was charged.',
        'confirm_needed',
        { details: { orderId } },
      )

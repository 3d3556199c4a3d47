import { Refused } from '../payments/paypal/errors.server.ts'
import { RECORD_MINUTES } from '../payments/paypal/eventLog.server.ts'
import { type Paypal, REPEAT_MINUTES } from '../payments/paypal/client.server.ts'
import type { ProviderRefund } from '../payments/paypal/wire.server.ts'
import type { Payment } from '../payments/payments.store.server.ts'
import type { AgedRefund } from '../payments/refunds.store.server.ts'
import { NEVER_MADE } from './refunds/refund.rules.ts'

/** Its request may be one that the provider has forgotten: sent again, it would pay a second time. */
export const isPastRepeating = ({ ageMinutes }: Pick<AgedRefund, 'ageMinutes'>) => ageMinutes >= REPEAT_MINUTES

/**
 * What became of a refund that is past repeating and has no answer: what the provider's order shows of it, or its record
 * of events. Throws Refused NEVER_MADE when it surely was not made, an Error when nobody can tell (yet).
 */
export async function findLost(
  paypal: Paypal,
  { providerOrderId, providerCaptureId }: Pick<Payment, 'providerOrderId' | 'providerCaptureId'>,
  { id, ageMinutes }: Pick<AgedRefund, 'id' | 'ageMinutes'>,
): Promise<ProviderRefund> {
  const shown = (providerOrderId && (await paypal.readRefundsOf(providerOrderId))) || []
  const own = shown.filter(({ customId }) => customId === id)
  const found =
    own.find(({ status }) => status === 'COMPLETED') ?? own[0] ?? (await findRecorded(paypal, id, ageMinutes))
  if (found) return found
  // the last request may have been sent a moment ago
  if (ageMinutes < REPEAT_MINUTES + RECORD_MINUTES) throw new Error('too soon to tell that a refund was never made')
  const capture = await paypal.readCapture(providerCaptureId!)
  // something went back, and unless the order shows what, it may have been this
  const isExplained = capture?.status === 'COMPLETED' || (capture && shown.length > 0)
  if (!isExplained) throw new Error('the provider cannot tell what became of a refund; it is asked again')
  throw new Refused(NEVER_MADE)
}

async function findRecorded(paypal: Paypal, id: string, ageMinutes: number): Promise<ProviderRefund | null> {
  const providerRefundId = await paypal.findRefund(id, new Date(Date.now() - (ageMinutes + 10) * 60_000))
  if (providerRefundId === null) return null
  // what the record says is as old as its event
  const made = providerRefundId === '' ? null : await paypal.readRefund(providerRefundId)
  if (!made) throw new Error('a refund that is in the record cannot be read; it is asked for again')
  return made
}

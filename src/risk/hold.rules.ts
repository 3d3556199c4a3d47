import { formatMoment } from '../localisation/dates.rules.ts'
import reasons from './hold.json' with { type: 'json' }
import type { OrderHold } from './hold.contract.ts'

// Text for a buyer whose purchase waits: reason, end and next step. It accuses nobody, because most buyers are honest.

const whys: Record<string, string> = reasons

export function describeWhy(why: string[]): string {
  const told = why.flatMap((rule) => whys[rule] ?? []).slice(0, 2)
  return told.length === 0 ? 'it’s different from what we usually see' : told.join(' and ')
}

export function describeHold({ kind, why, until, isClearedByConfirming }: OrderHold): { title: string; text: string } {
  const time = formatMoment(until)
  if (kind === 'step_up')
    return {
      title: 'Please confirm it’s you',
      text: `We ask because ${describeWhy(why)}. You haven’t been charged. Confirm by ${time}, then finish the payment. Otherwise the order expires.`,
    }
  const way = isClearedByConfirming
    ? 'Confirm it’s you, and we’ll deliver it right away.'
    : 'You don’t need to do anything. Message us if you’re in a hurry.'
  return {
    title: 'We’re reviewing your order',
    text: `We got your payment. We’re reviewing this order before we deliver it because ${describeWhy(why)}. ${way} If it isn’t delivered by ${time}, you’ll be refunded in full automatically.`,
  }
}

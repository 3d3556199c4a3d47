import { queryClient } from '../kit/query/query.client.ts'
import { readEvents, recordEvent } from './paymentCheck.client.ts'
import type { Sighting } from './risk.rules.ts'

// Records behaviour that is rare for people. Each finding counts once, so that two of them do not block a buyer.

const SPAN_MS = 10_000
const MAX_CART_CHANGES = 20
/** Allows one click of a password manager. */
const MAX_SCRIPTED_PRESSES = 2

const HURRIED: Sighting = {
  type: 'suspicious_activity',
  severity: 'medium',
  description: 'More than 20 changes of the cart within ten seconds',
}
const SCRIPTED: Sighting = {
  type: 'suspicious_activity',
  severity: 'medium',
  description: 'Buttons were pressed by a script',
}

function countTo(max: number, finding: Sighting) {
  let times: number[] = []
  return (now = Date.now()) => {
    times = [...times.filter((at) => now - at < SPAN_MS), now].slice(-max - 1)
    const isKnown = readEvents(now).some(({ description }) => description === finding.description)
    if (times.length > max && !isKnown) recordEvent(finding, now)
  }
}

export function watchSuspicion(): () => void {
  const countChange = countTo(MAX_CART_CHANGES, HURRIED)
  const countPress = countTo(MAX_SCRIPTED_PRESSES, SCRIPTED)
  const unsubscribe = queryClient.getMutationCache().subscribe(({ type, mutation }) => {
    if (type === 'added' && mutation.options.scope?.id === 'cart') countChange()
  })
  const press = ({ isTrusted, target }: Event) => {
    if (!isTrusted && target instanceof Element && target.closest('button')) countPress()
  }
  addEventListener('click', press, { capture: true, passive: true })
  return () => {
    unsubscribe()
    removeEventListener('click', press, { capture: true })
  }
}

import type { Input } from '../../kit/contract.ts'
import type { settleReturn } from '../checkout.contract.ts'

type Return = Input<typeof settleReturn>

export function readReturn(search: URLSearchParams): Return | null {
  const provider = search.get('provider')
  const [ref, payment] = [search.get('ref'), search.get('payment')]
  if (!provider || !(ref || payment)) return null
  const isCanceled = search.get('canceled') === '1'
  return { provider, ...(ref ? { ref } : { payment: payment! }), ...(isCanceled && { canceled: true }) }
}

/** The number of polls, two seconds apart, before the page opens the order. A pending payment may take days. */
const MAX_ASKED = { PENDING: 3, WAITING: 15 }

export const isAskedAgain = (status: string, asked: number): boolean =>
  (status === 'PENDING' && asked < MAX_ASKED.PENDING) || (status === 'WAITING' && asked < MAX_ASKED.WAITING)

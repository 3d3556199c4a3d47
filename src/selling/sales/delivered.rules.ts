import { IS_RECORDED_EACH_TIME } from '../../delivery/uses.rules.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import type { SaleDetail } from './sales.contract.ts'

export type Step = { what: string; when: string }

const DID: Record<SaleDetail['uses'][number]['kind'], string> = {
  download: 'Downloaded',
  read: 'Opened to read or watch',
  reveal: 'Codes or key revealed',
  copy: 'Code copied',
  activate: 'Key activated on a device',
  deactivate: 'Key removed from a device',
}

/** The shop records a download, a lesson and an activation once a day, so that their number is that of the days. */
function howOften({ kind, count, days }: SaleDetail['uses'][number]): string | null {
  if (IS_RECORDED_EACH_TIME.has(kind)) return count > 1 ? plural(count, 'time') : null
  return days > 1 ? `on ${plural(days, 'day')}` : null
}

const describeUse = ({ kind, isGift }: SaleDetail['uses'][number]) =>
  isGift ? `${DID[kind]} by the recipient of a gift` : DID[kind]

function momentsOf(use: SaleDetail['uses'][number]): string {
  const often = howOften(use)
  const first = formatMoment(use.firstAt)
  return often === null ? first : `${first}, ${often}, last ${formatMoment(use.lastAt)}`
}

type Facts = Pick<SaleDetail, 'soldAt' | 'deliveredAt' | 'closedAt' | 'given' | 'uses' | 'state'>

/** What happened to the goods of a sale, in the order of their first time. */
export function stepsOf({ soldAt, deliveredAt, closedAt, given, uses, state }: Facts): Step[] {
  return [
    { what: state === 'free' ? 'Taken for free' : 'Paid', when: formatMoment(soldAt) },
    ...(deliveredAt ? [{ what: 'Delivered', when: formatMoment(deliveredAt) }] : []),
    ...uses.map((use) => ({ what: describeUse(use), when: momentsOf(use) })),
    ...(given > 0 ? [{ what: 'Given away', when: plural(given, 'copy', 'copies') }] : []),
    ...(closedAt ? [{ what: 'Closed for the buyer', when: formatMoment(closedAt) }] : []),
    ...(uses.length === 0 ? [{ what: 'Not opened yet', when: 'No download, no code shown' }] : []),
  ]
}

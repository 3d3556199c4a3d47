import { formatMoment } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import type { SaleDetail } from './sales.contract.ts'

export type Step = { what: string; when: string }

const DID: Record<SaleDetail['uses'][number]['kind'], string> = {
  download: 'Downloaded',
  read: 'Opened to read or watch',
  reveal: 'Codes or key shown',
  copy: 'Code copied',
  activate: 'Key activated on a device',
  deactivate: 'Key removed from a device',
}

type Facts = Pick<SaleDetail, 'soldAt' | 'deliveredAt' | 'closedAt' | 'given' | 'uses' | 'state'>

/** What happened to the goods of a sale, in the order of their first time. */
export function stepsOf({ soldAt, deliveredAt, closedAt, given, uses, state }: Facts): Step[] {
  return [
    { what: state === 'free' ? 'Taken for free' : 'Paid', when: formatMoment(soldAt) },
    ...(deliveredAt ? [{ what: 'Delivered', when: formatMoment(deliveredAt) }] : []),
    ...uses.map(({ kind, count, firstAt, lastAt }) => ({
      what: DID[kind],
      when:
        count > 1
          ? `${formatMoment(firstAt)}, ${plural(count, 'time')}, last ${formatMoment(lastAt)}`
          : formatMoment(firstAt),
    })),
    ...(given > 0 ? [{ what: 'Given away', when: plural(given, 'copy', 'copies') }] : []),
    ...(closedAt ? [{ what: 'Closed for the buyer', when: formatMoment(closedAt) }] : []),
    ...(uses.length === 0 ? [{ what: 'Not opened yet', when: 'No download, no code shown' }] : []),
  ]
}

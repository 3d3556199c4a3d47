import type { MemberCase } from './members.contract.ts'

type Words = { name: string; page?: string }

const KINDS: Record<MemberCase['kind'], Words> = {
  dispute: { name: 'Dispute', page: '/admin/orders' },
  refundRequest: { name: 'Refund request', page: '/admin/orders' },
  badCode: { name: 'Reported a bad code', page: '/admin/orders' },
  badCodeSold: { name: 'Sold a code that was reported', page: '/admin/orders' },
  report: { name: 'Product was reported', page: '/admin/reports' },
  suspension: { name: 'Suspended' },
}

const STATES: Record<string, string> = {
  needs_evidence: 'needs evidence',
  under_review: 'under review',
  taken_down: 'taken down',
  seller: 'waits for the seller',
  staff: 'waits for staff',
  refunding: 'refund under way',
}

/** The name, the state in words and the address of a case. A suspension is in the part about selling of the same page. */
export function describeCase({ kind, id, state }: Pick<MemberCase, 'kind' | 'id' | 'state'>) {
  const { name, page } = KINDS[kind]
  return { name, state: STATES[state] ?? state, href: page === undefined ? '#selling' : `${page}/${id}` }
}

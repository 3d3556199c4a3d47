import type { Disputes, DisputeTruth, Evidence } from '../../src/payments/disputes/disputes.ts'
import type { Unknown } from '../../src/payments/outcome.ts'
import type { EventSubject } from '../../src/payments/provider.ts'

export type FakeDispute = Omit<DisputeTruth, 'kind'> & { evidence: (Evidence & { id: string })[] }

type Outcome = <T>(effect: () => T) => Promise<T | Unknown>

/** Disputes of the fake provider. `move` opens or changes one without notifying the shop. */
export function createFakeDisputes(outcome: Outcome) {
  const disputes = new Map<string, FakeDispute>()

  function move(ref: string, change: Partial<FakeDispute> & Pick<FakeDispute, 'state'>) {
    const known = disputes.get(ref) ?? {
      ref,
      captureRef: '',
      paymentId: null,
      amountCents: 0,
      currency: 'USD',
      state: change.state,
      stage: 'claim',
      lostCents: null,
      reason: 'not_received',
      evidenceDueAt: new Date(Date.now() + 7 * 24 * 3600_000),
      openedAt: new Date(),
      evidence: [],
    }
    disputes.set(ref, { ...known, ...change })
  }

  const provided: Disputes = {
    reportedAt: 'opening',
    find: (ref) =>
      outcome(() => {
        const known = disputes.get(ref)
        if (!known) return { kind: 'gone' as const }
        const { evidence: _, ...truth } = known
        return { kind: 'dispute' as const, ...truth }
      }),
    submit: (ref, evidence) =>
      outcome(() => {
        const known = disputes.get(ref)
        if (known?.evidence.some(({ id }) => id === evidence.id)) return { kind: 'sent' as const }
        if (known?.state !== 'needs_evidence') return { kind: 'refused' as const, reason: 'evidence_not_wanted' }
        disputes.set(ref, { ...known, state: 'under_review', evidence: [...known.evidence, evidence] })
        return { kind: 'sent' as const }
      }),
  }

  const subjectOf = (body: string): EventSubject | null => {
    const { dispute, captureRef = null } = JSON.parse(body) as { dispute?: string; captureRef?: string }
    return dispute ? { about: 'dispute', disputeRef: dispute, captureRef } : null
  }

  return { disputes, move, provided, subjectOf }
}

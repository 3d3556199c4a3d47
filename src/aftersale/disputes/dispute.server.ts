import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { addJob, type Job, laneOf } from '../../kit/jobs.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { type OrderRow, lockOrder } from '../../orders/orders.store.server.ts'
import {
  changeDispute,
  type Dispute,
  DISPUTED,
  findDispute,
  findDisputeAt,
  findIdleDisputes,
  findOpenDispute,
  holdDisputed,
  insertDispute,
  lockDispute,
  markMissing,
  readHoldableCents,
  touchDispute,
} from '../../payments/disputes/disputes.store.server.ts'
import { setDisputed } from '../../payments/earnings.store.server.ts'
import { lockPaymentsOf, type Payment } from '../../payments/payments.store.server.ts'
import { readUnaskedCents } from '../../payments/refunds.store.server.ts'
import type { DisputeTruth, Submitted } from '../../payments/disputes/disputes.ts'
import { Unanswered } from '../../payments/outcome.ts'
import type { Provider } from '../../payments/provider.ts'
import { findCaptured } from '../../checkout/captured.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { isSettled } from '../../checkout/judge.rules.ts'
import { bookUnasked } from '../refunds/book.server.ts'
import { checkCapture } from './capture.check.server.ts'
import { freezes, isEnded, lostCentsOf, stepOf } from './dispute.rules.ts'
import { collectEvidence } from './evidence.server.ts'
import { loadFiles } from './evidenceFiles.server.ts'
import { notifyOfDispute } from './dispute.mail.server.ts'
import { required } from '../../kit/values/required.ts'

// this many timeouts in a row mean that the provider is down
const MAX_UNANSWERED = 3

// A buyer disputes a payment at the provider, and the provider decides. This file holds, releases and books the money.

export function disputeJobs(checkout: Checkout): Job[] {
  return [
    { name: 'disputes', pool: 'money', cron: '7 * * * *', run: () => lookAtDisputes(checkout) },
    { name: 'submit_evidence', pool: 'money', run: async ({ id = '' }) => submitEvidence(checkout, id) },
    // nodes of 1.2.0 know no files, so they must not run this job
    { name: 'submit_evidence_files', pool: 'money', run: async ({ id = '' }) => submitEvidence(checkout, id) },
    { name: 'check_capture', pool: 'money', run: async ({ id = '' }) => checkCapture(checkout, id) },
  ]
}

export async function handleDispute(
  checkout: Checkout,
  provider: Provider,
  { disputeRef }: { disputeRef: string },
): Promise<string | null> {
  if (!provider.disputes) return 'this provider has no disputes'
  const found = await provider.disputes.find(disputeRef)
  if (found.kind === 'unknown') throw new Unanswered(found.why)
  if (found.kind === 'dispute') return applyProviderTruth(checkout, provider, found)
  const why = found.kind === 'gone' ? 'no dispute at the provider' : found.why
  const readKnown = () => findDisputeAt(checkout.db, provider.name, disputeRef)
  // the event of its opening never arrived
  if (found.kind === 'unclear' && !(await readKnown())) {
    const refusal = await applyProviderTruth(checkout, provider, found.last)
    if (refusal !== null) return refusal
  }
  const known = await readKnown()
  if (known && (await markMissing(checkout.db, known.id)))
    log.error('the provider does not report how a dispute ended; staff must enter the outcome', {
      dispute: known.id,
      why,
    })
  return why
}

async function applyProviderTruth(checkout: Checkout, provider: Provider, truth: DisputeTruth): Promise<string | null> {
  if (truth.amountCents <= 0) return 'the dispute is about no money'
  const payment = await findCaptured(checkout.db, truth)
  if (payment?.provider !== provider.name) return 'no payment of ours'
  if (!isSettled(payment.status)) throw new Error('the payment of this dispute is not settled yet')
  // the shop refunds such a payment in full by itself
  if (payment.status === 'mismatched') return 'the payment bought no goods'
  if (truth.currency !== payment.currency) log.error('a dispute is in another currency', { payment: payment.id })
  await applyTruth(checkout, payment, truth)
  return null
}

/** Polls open disputes periodically, because events can be lost. A provider that hangs does not delay the others. */
export async function lookAtDisputes(checkout: Checkout, { idleMinutes = 30 } = {}) {
  const { list } = checkout.providers
  await Promise.all(list.map(({ name }) => lookAtDisputesOf(checkout, name, idleMinutes)))
}

async function lookAtDisputesOf(checkout: Checkout, provider: string, idleMinutes: number) {
  let unanswered = 0
  for (const dispute of await findIdleDisputes(checkout.db, provider, idleMinutes, 200)) {
    await touchDispute(checkout.db, dispute.id)
    try {
      const about = { disputeRef: dispute.providerDisputeId }
      // a failure to submit must not delay the news of the dispute
      await submitWaiting(checkout, dispute).finally(() =>
        handleDispute(checkout, checkout.providers.named(provider), about),
      )
      unanswered = 0
    } catch (error) {
      log.warn('a dispute could not be looked at; retrying in an hour', { dispute: dispute.id, error })
      unanswered = error instanceof Unanswered ? unanswered + 1 : 0
      if (unanswered === MAX_UNANSWERED) return
    }
  }
}

/** Submits evidence whose job may have used up its retries. */
async function submitWaiting(checkout: Checkout, { id, evidenceId, evidenceSentAt, endedAt }: Dispute) {
  if (evidenceId && !evidenceSentAt && !endedAt) await submitEvidence(checkout, id)
}

/**
 * Applies the state at the provider. Idempotent: events arrive twice and in any order. `admit` runs under the locks and
 * throws to change nothing.
 */
export const applyTruth = (
  checkout: Checkout,
  paid: Payment,
  truth: DisputeTruth,
  admit: (tx: Tx, dispute: Dispute) => Promise<void> = async () => undefined,
) =>
  inTransaction(checkout.db, async (tx) => {
    const order = required(await lockOrder(tx, paid.orderId), 'the order')
    const payment = required(
      (await lockPaymentsOf(tx, order.id)).find(({ id }) => id === paid.id),
      'the payment',
    )
    const known = await findDisputeAt(tx, payment.provider, truth.ref)
    const { id } = known ?? (await insertDispute(tx, payment, order.userId, truth))
    const dispute = await lockDispute(tx, id)
    await admit(tx, dispute)
    // refunds by the provider while the dispute was open belong to this dispute
    const returnedCents = await readUnaskedCents(tx, payment, dispute.createdAt)
    const step = stepOf(dispute, truth, { returnedCents, holdableCents: await readHoldableCents(tx, payment, id) })
    if (step.kind === 'over') {
      if (dispute.state !== truth.state) log.error('the provider changed a dispute that had ended', { dispute: id })
      return touchDispute(tx, id)
    }
    const { amountCents, evidenceDueAt, stage } = truth
    const change = { amountCents, evidenceDueAt, stage, reason: truth.reason.slice(0, 200), missingSince: null }
    // reopen a won dispute before it holds money
    const reopened = isEnded(truth.state) ? 'under_review' : truth.state
    if (isEnded(dispute.state)) await changeDispute(tx, id, { ...change, state: reopened }, { isOpen: true })
    if (step.kind === 'hold') {
      await holdDisputed(tx, payment, dispute, step.heldCents)
      await changeDispute(tx, id, { ...change, state: truth.state })
      if (known && !isEnded(known.state) && known.stage === stage) return
      if (freezes(truth.state, stage)) await setDisputed(tx, order.id, true)
      return notifyOfDispute(tx, checkout, order, { ...dispute, ...change }, 'opened')
    }
    await end(tx, checkout, order, payment, dispute, { ...truth, step })
    const lostCents = step.kind === 'lost' ? lostCentsOf(truth) : null
    await changeDispute(tx, id, { ...change, heldCents: 0, state: truth.state, lostCents }, { isEnded: true })
    if (!(await findOpenDispute(tx, payment.id))) await setDisputed(tx, order.id, false)
    await notifyOfDispute(tx, checkout, order, { ...dispute, ...change, lostCents }, step.kind)
    await addJob(
      tx,
      'check_capture',
      { id: payment.id },
      { key: `check_capture:${payment.id}`, queue: laneOf(payment.provider, payment.id), delaySeconds: 600 },
    )
  })

type Ending = DisputeTruth & { step: { kind: 'won' } | { kind: 'lost'; takenCents: number } }

async function end(
  tx: Tx,
  checkout: Checkout,
  order: OrderRow,
  payment: Payment,
  dispute: Dispute,
  { ref, step }: Ending,
) {
  const takenCents = step.kind === 'lost' ? step.takenCents : 0
  await holdDisputed(tx, payment, dispute, takenCents)
  if (takenCents === 0) return
  const made = { providerRefundId: `dispute:${ref}`, amountCents: takenCents, reason: LOST }
  const refund = await bookUnasked(tx, checkout, order, payment, made, { source: DISPUTED, tells: false })
  if (refund) await changeDispute(tx, dispute.id, { refundId: refund.id, heldCents: 0 })
}

/** Reason of the refund that books a lost dispute, and of the end of its order. */
export const LOST = 'the payment provider decided a dispute for the buyer'

export async function submitEvidence(checkout: Checkout, id: string): Promise<void> {
  const { db, providers } = checkout
  const dispute = await findDispute(db, id)
  if (!dispute?.evidenceId || dispute.evidenceSentAt || isEnded(dispute.state)) return
  const { disputes } = providers.named(dispute.provider)
  const { files, problem } = await loadFiles(checkout, id)
  const evidence = {
    ...(await collectEvidence(checkout, dispute)),
    ...{ note: dispute.evidenceNote ?? '', files, id: dispute.evidenceId },
  }
  const { submit } = required(disputes, 'the disputes of the provider')
  const answer: Submitted =
    problem === null ? await submit(dispute.providerDisputeId, evidence) : { kind: 'refused', reason: problem }
  if (answer.kind === 'unknown') throw new Unanswered(answer.why)
  await inTransaction(db, async (tx) => {
    if (answer.kind === 'sent') return changeDispute(tx, id, { evidenceRefusal: null }, { isSent: true })
    log.error('the answer to a dispute was not sent', { dispute: id, reason: answer.reason })
    const refusal = answer.reason.slice(0, 200)
    // staff may send other evidence
    await changeDispute(tx, id, { evidenceRefusal: refusal, evidenceId: null, evidenceBy: null })
  })
  await handleDispute(checkout, providers.named(dispute.provider), { disputeRef: dispute.providerDisputeId })
}

import { OWN_PURCHASE, recordAct } from '../../identity/audit/audit.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { Input } from '../../kit/contract.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import { addJob, laneOf } from '../../kit/jobs.server.ts'
import { toCents, toDecimal } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { lockOrder } from '../../orders/orders.store.server.ts'
import { changeDispute, type Dispute, lockDispute } from '../../payments/disputes/disputes.store.server.ts'
import { findPayment } from '../../payments/payments.store.server.ts'
import { readGivenCents } from '../../payments/refunds.store.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import {
  type DisputeCase,
  type DisputeQueue,
  DISPUTES_AT_ONCE,
  listDisputes,
  type ListedDispute,
  readDispute,
  replyToInquiry,
  settleDispute,
  submitEvidence,
} from './dispute.contract.ts'
import { isEnded } from './dispute.rules.ts'
import { applyTruth } from './dispute.server.ts'
import { listAllFacts } from '../sellerDisputes/sellerDisputes.statements.server.ts'
import { collectEvidence } from './evidence.server.ts'
import { listAttached } from './evidenceFiles.server.ts'
import { lastOf, only } from '../../kit/values/required.ts'
import * as statements from './disputeQueue.statements.server.ts'

const SENT = new Failure(409, 'The evidence of this dispute was sent already.', 'evidence_sent')
const ENDED = new Failure(409, 'This dispute has ended.', 'dispute_ended')
const KNOWN_THERE = new Failure(
  409,
  'The provider knows this dispute, or forgot it less than an hour ago. It decides by itself.',
  'provider_knows',
)
const IS_INQUIRY = new Failure(
  409,
  'The provider accepts no evidence in an inquiry. Write to the buyer or offer a refund.',
  'is_inquiry',
)
const NEW_FACTS = new Failure(409, 'A seller has added a fact. Read it, and send your answer again.', 'changed')
const NO_INQUIRY = new Failure(409, 'This dispute accepts evidence, not messages.', 'no_inquiry')
const NEW_FILES = new Failure(
  409,
  'The attached files have changed. Look at them, and send your answer again.',
  'changed',
)
const TOO_MUCH = new Failure(
  400,
  'amount: At most the disputed amount, and none of a dispute that the store won.',
  'invalid',
  {
    details: { field: 'amount' },
  },
)
const NOT_HERE = new Failure(409, 'Answer this dispute on the provider’s own pages.', 'no_submission')

export const disputeRoutes = (checkout: Checkout): Route[] => [
  handle(listDisputes, async ({ queue, after, limit = DISPUTES_AT_ONCE }, { db }) => {
    const rows = await readQueue(db, queue, limit + 1, after ?? null)
    const page = rows.slice(0, limit).map(describe)
    const asked = new URLSearchParams({ queue, limit: String(limit) })
    const next = rows.length > limit && `</api/admin/disputes?${asked}&after=${lastOf(page).id}>; rel="next"`
    const headers = { 'x-total-count': String(await countQueue(db, queue)), ...(next && { link: next }) }
    return asJson(JSON.stringify(page), headers)
  }),

  handle(readDispute, ({ id }, { db, user }) => fileOf(checkout, db, { id, staffId: user.id })),

  handle(
    submitEvidence,
    { limits: [{ per: 'account', count: 30, seconds: 60, isShared: true }] },
    async (asked, { user, db }) => {
      await inTransaction(db, (tx) => ask(tx, checkout, user.id, asked))
      return { id: asked.id }
    },
  ),

  handle(
    replyToInquiry,
    { limits: [{ per: 'account', count: 30, seconds: 60, isShared: true }] },
    async (asked, { user, db }) => {
      await reply(checkout, db, user.id, asked)
      return { id: asked.id }
    },
  ),

  handle(
    settleDispute,
    { limits: [{ per: 'account', count: 30, seconds: 60, isShared: true }] },
    async (asked, { user, db }) => {
      await settle(checkout, db, user.id, asked)
      return { id: asked.id }
    },
  ),
]

const findRow = async (db: Db | Tx, id: string): Promise<Row | undefined> =>
  (await statements.findDispute(db, { id }))[0]

async function settle(
  checkout: Checkout,
  db: Db,
  staffId: string,
  { id, outcome, amount, reference }: { id: string; outcome: 'won' | 'lost'; amount?: string; reference: string },
) {
  const known = await findRow(db, id)
  const payment = known && (await findPayment(db, known.paymentId))
  if (!known || !payment) throw new Failure(404, 'Not found')
  if (known.userId === staffId) throw OWN_PURCHASE
  const { providerDisputeId: ref, amountCents, reason, evidenceDueAt, openedAt, stage } = known
  const lostCents = amount === undefined ? null : toCents(amount)
  if (lostCents !== null && (outcome === 'won' || lostCents === 0 || lostCents > amountCents)) throw TOO_MUCH
  const { id: paymentId, providerCaptureId, currency } = payment
  const truth = {
    ...{ kind: 'dispute' as const, ref, captureRef: providerCaptureId!, paymentId, amountCents, currency },
    ...{ state: outcome, stage, lostCents, reason, evidenceDueAt, openedAt },
  }
  await applyTruth(checkout, payment, truth, async (tx, dispute) => {
    if (isEnded(dispute.state)) throw ENDED
    const { isMissing } = only(await statements.readMissing(tx, { id }))
    if (!isMissing) throw KNOWN_THERE
    await changeDispute(tx, id, { settledBy: staffId })
    const details = {
      dispute: id,
      as: outcome,
      reference,
      ...(amount !== undefined && { amount: usd(toCents(amount)) }),
    }
    await recordAct(tx, { actorId: staffId, act: 'dispute.settled', subjectId: dispute.orderId, details })
  })
}

type Answer = Input<typeof submitEvidence>

async function ask(tx: Tx, { providers }: Checkout, staffId: string, { id, note, facts, fileIds }: Answer) {
  const known = await findRow(tx, id)
  if (!known) throw new Failure(404, 'Not found')
  if (known.userId === staffId) throw OWN_PURCHASE
  const dispute = await lockDispute(tx, id)
  if (isEnded(dispute.state)) throw ENDED
  if (dispute.evidenceId) throw SENT
  if (canReply(providers, dispute)) throw IS_INQUIRY
  if (!canAnswer(providers, dispute)) throw NOT_HERE
  if (facts !== undefined && (await listAllFacts(tx, { disputeId: id })).length > facts) throw NEW_FACTS
  const files = (await listAttached(tx, id, null)).map((file) => file.id)
  if (fileIds && files.toSorted().join() !== fileIds.toSorted().join()) throw NEW_FILES
  const evidence = { evidenceId: crypto.randomUUID(), evidenceNote: note, evidenceBy: staffId, evidenceRefusal: null }
  await changeDispute(tx, id, evidence)
  await recordAct(tx, {
    actorId: staffId,
    act: 'dispute.answered',
    subjectId: dispute.orderId,
    details: { dispute: id },
  })
  const job = files.length === 0 ? 'submit_evidence' : 'submit_evidence_files'
  await addJob(tx, job, { id }, { key: `submit_evidence:${id}`, queue: laneOf(dispute.provider, id) })
}

/** Sends a message to the buyer through the provider. Changes no order: an event reports the buyer's decision. */
async function reply(
  checkout: Checkout,
  db: Db,
  staffId: string,
  { id, key, text, offer }: Input<typeof replyToInquiry>,
) {
  const known = await findRow(db, id)
  const payment = known && (await findPayment(db, known.paymentId))
  if (!known || !payment) throw new Failure(404, 'Not found')
  if (known.userId === staffId) throw OWN_PURCHASE
  if (isEnded(known.state)) throw ENDED
  if (!canReply(checkout.providers, known)) throw NO_INQUIRY
  const offerCents = offer === undefined ? null : toCents(offer)
  if (offerCents !== null && (offerCents === 0 || offerCents > known.amountCents)) throw TOO_MUCH
  const { refundApprovalAboveCents: mostCents } = checkout.config
  const details = { dispute: id, ...(offerCents !== null && { offer: usd(offerCents) }) }
  await inTransaction(db, async (tx) => {
    await lockOrder(tx, known.orderId)
    const givenCents = await readGivenCents(tx, payment.id)
    if (offerCents !== null && givenCents + offerCents > mostCents)
      throw new Failure(
        409,
        `One person may return at most ${usd(mostCents)} of a payment, earlier refunds included. Refund the order instead.`,
        'needs_approval',
      )
    // before the request, because its response may be lost
    await recordAct(tx, { actorId: staffId, act: 'dispute.replied', subjectId: known.orderId, details })
  })
  const { disputes } = checkout.providers.named(known.provider)
  const sent = await disputes!.reply!(known.providerDisputeId, {
    id: key,
    text,
    offerCents,
    currency: payment.currency,
  })
  if (sent.kind === 'unknown')
    throw new Failure(503, 'The provider did not respond. Try again.', 'unavailable', { retryAfter: 10 })
  if (sent.kind === 'refused')
    throw new Failure(409, `The provider refused the message: ${sent.reason}.`, 'reply_refused')
}

const canReply = (providers: Checkout['providers'], { provider, stage }: Pick<Dispute, 'provider' | 'stage'>) =>
  stage === 'inquiry' && providers.list.some(({ name, disputes }) => name === provider && disputes?.reply)

const canAnswer = (providers: Checkout['providers'], { provider, stage }: Pick<Dispute, 'provider' | 'stage'>) =>
  providers.list.some(({ name, disputes }) => name === provider && disputes && (stage !== 'inquiry' || !disputes.reply))

type Row = statements.FindDisputeRow

const readQueue = (db: Db, queue: DisputeQueue, most: number, after: string | null): Promise<Row[]> =>
  queue === 'open' ? statements.listOpen(db, { most, after }) : statements.listEnded(db, { most, after })

async function countQueue(db: Db, queue: DisputeQueue): Promise<number> {
  const { count } = await db
    .selectFrom('disputes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('endedAt', queue === 'open' ? 'is' : 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

const describe = (row: Row): ListedDispute => ({
  ...{
    id: row.id,
    orderId: row.orderId,
    provider: row.provider,
    state: row.state,
    reason: row.reason,
    stage: row.stage,
  },
  lost: row.state === 'lost' ? toDecimal(row.lostCents ?? row.amountCents) : null,
  amount: toDecimal(row.amountCents),
  buyer: row.erasedAt ? null : row.email,
  openedAt: row.openedAt.toISOString(),
  dueAt: row.evidenceDueAt?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
  sentAt: row.evidenceSentAt?.toISOString() ?? null,
  missingSince: row.endedAt ? null : (row.missingSince?.toISOString() ?? null),
})

async function fileOf(
  checkout: Checkout,
  db: Db,
  { id, staffId }: { id: string; staffId: string },
): Promise<DisputeCase> {
  const row = await findRow(db, id)
  if (!row) throw new Failure(404, 'Not found')
  const { boughtAt, ...evidence } = await collectEvidence(checkout, row)
  return {
    ...describe(row),
    disputeRef: row.providerDisputeId,
    held: toDecimal(row.heldCents),
    note: row.evidenceId ? row.evidenceNote : null,
    sender: row.sender,
    refusal: row.evidenceRefusal,
    canSubmit: !isEnded(row.state) && !row.evidenceId && !row.missingSince && canAnswer(checkout.providers, row),
    canReply: !isEnded(row.state) && !row.missingSince && canReply(checkout.providers, row),
    canSettle: !isEnded(row.state) && row.canSettle,
    evidence: { ...evidence, boughtAt: boughtAt.toISOString() },
    // sellers write to staff, not to the buyer
    facts: row.userId === staffId ? [] : await listAllFacts(db, { disputeId: id }),
    files: row.userId === staffId ? [] : await listAttached(db, id, null),
  }
}

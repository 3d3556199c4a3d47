import { inTransaction } from '../../kit/database.server.ts'
import { addJob, laneOf } from '../../kit/jobs.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import type { PayOut, PayoutTruth } from './payOut.ts'
import { Unanswered, type Unknown } from '../outcome.ts'
import type { Payouts } from './context.server.ts'
import {
  type BatchRow,
  closeBatch,
  findBatch,
  findOpenBatches,
  leaseBatch,
  nameBatch,
  noteProblem,
  payoutsIn,
  refuseBatch,
  touchBatch,
} from './batches.store.server.ts'
import { findPayout } from './payouts.store.server.ts'
import { applyTruth, settlePayout } from './settle.server.ts'
import { required } from '../../kit/values/required.ts'

// Sends batches to the provider and reads their results. Every function may run twice. No HTTP inside a transaction.

/** The provider rejects a duplicate batch id for 30 days. A later repeat could pay twice. */
const REPEAT_DAYS = 25
const MAX_UNANSWERED = 3

const payOutOf = ({ providers }: Payouts, { provider, mode }: BatchRow): PayOut => {
  const { payOut, mode: present } = providers.named(provider!)
  if (!payOut || mode !== present) throw new Error(`a batch was made for ${provider} in its ${mode} mode`)
  return payOut
}

export async function sendBatch(payouts: Payouts, id: string): Promise<void> {
  const { db } = payouts
  const leased = await leaseBatch(db, id)
  if (!leased) return
  if (leased.sentDays > REPEAT_DAYS) {
    await noteProblem(db, id, 'No answer for 25 days. Look the batch up at the provider, then mark its payouts.')
    return
  }
  const batch = required(await findBatch(db, id), 'the batch')
  const waiting = (await payoutsIn(db, id)).filter(({ state }) => state === 'approved')
  if (waiting.length === 0) return closeBatch(db, id)
  const items = waiting.map((payout) => {
    const details = payouts.open(payout)
    if (details.method !== 'paypal') throw new Error('a payout to a bank stands in a batch of a provider')
    return { id: payout.id, receiver: details.email, amountCents: payout.amountCents }
  })
  const outcome = await payOutOf(payouts, batch).send({ id, isFirst: leased.isFirst, payouts: items })
  if (outcome.kind === 'unknown') {
    await noteProblem(db, id, outcome.why)
    return needAnswer(outcome, id)
  }
  await inTransaction(db, async (tx) => {
    if (outcome.kind === 'refused') return refuseBatch(tx, id, outcome.reason)
    await nameBatch(tx, id, outcome.ref)
    await addJob(
      tx,
      'read_payouts',
      { id },
      { key: `read_payouts:${id}`, queue: laneOf(batch.provider!, id), delaySeconds: 5 },
    )
  })
}

/** Throws while the provider is unavailable, so that the job retries. */
function needAnswer({ isAway, why }: Unknown, batch: string) {
  if (isAway) throw new Unanswered(why)
  log.error('the provider cannot tell what became of payouts', { batch, why })
}

/** Reads every payout of a batch, even of a finished one, because the provider may still reverse a payout. */
export async function readBatch(payouts: Payouts, id: string): Promise<void> {
  const { db } = payouts
  const batch = await findBatch(db, id)
  if (!batch?.providerBatchId) return
  await touchBatch(db, id)
  await applyBatch(payouts, payOutOf(payouts, batch), batch.providerBatchId)
}

async function applyBatch(payouts: Payouts, payOut: PayOut, ref: string) {
  const { db } = payouts
  const truth = await payOut.read(ref)
  if (truth.kind === 'unknown') return needAnswer(truth, ref)
  if (truth.kind === 'gone') return log.error('the provider does not know a batch of payouts', { batch: ref })
  const batch = isUuid(truth.batchId) ? await findBatch(db, truth.batchId) : undefined
  if (!batch) return log.error('the provider names a batch that is not ours', { batch: ref })
  const { id } = batch
  await inTransaction(db, (tx) => nameBatch(tx, id, ref))
  const own = await payoutsIn(db, id)
  if (truth.isDenied)
    for (const payout of own)
      await settlePayout(payouts, payout.id, { state: 'failed', cause: 'shop', reason: 'BATCH_DENIED' })
  const states = new Map(own.map(({ id: payoutId, state }) => [payoutId, state]))
  for (const one of truth.payouts) {
    const state = states.get(one.id)
    const isReversed = state === 'sent' && (one.state === 'failed' || one.state === 'returned')
    if (state === 'approved' || state === 'processing' || isReversed) await apply(payouts, payOut, one)
  }
  await closeBatch(db, id)
}

/** Applies the state of a payout. Cancels an unclaimed one at once, so that the seller can correct the address. */
async function apply(payouts: Payouts, payOut: PayOut, truth: PayoutTruth) {
  const known = truth.state === 'unclaimed' ? await payOut.cancel(truth.ref) : truth
  if (known.kind === 'payout') await applyTruth(payouts, known)
  else if (known.kind === 'unknown') needAnswer(known, truth.batchRef)
}

/** Handles a provider's event in a job. Returns why it had no effect, or null. */
export async function handlePayout(
  payouts: Payouts,
  provider: string,
  { batchRef, payoutRef }: { batchRef: string; payoutRef: string | null },
): Promise<string | null> {
  const { payOut } = payouts.providers.named(provider)
  if (!payOut) return 'this provider makes no payouts'
  if (payoutRef === null) {
    await applyBatch(payouts, payOut, batchRef)
    return null
  }
  const truth = await payOut.find(payoutRef)
  if (truth.kind === 'unknown') throw new Unanswered(truth.why)
  if (truth.kind === 'gone') return 'no payout of ours'
  const payout = isUuid(truth.id) ? await findPayout(payouts.db, truth.id) : undefined
  if (!payout?.batchId) return 'no payout of ours'
  const { batchId } = payout
  // if the reply to the batch was lost, the event brings its reference
  await inTransaction(payouts.db, (tx) => nameBatch(tx, batchId, truth.batchRef))
  await apply(payouts, payOut, truth)
  await closeBatch(payouts.db, batchId)
  return null
}

/** Sends and reads batches whose job or events were lost. Stops when the provider is unavailable. */
export async function reconcilePayouts(payouts: Payouts, { idleSeconds = 60 } = {}): Promise<void> {
  let unanswered = 0
  for (const { id, state } of await findOpenBatches(payouts.db, idleSeconds)) {
    try {
      await (state === 'approved' ? sendBatch(payouts, id) : readBatch(payouts, id))
      unanswered = 0
    } catch (error) {
      log.warn('payouts could not be reconciled; retrying', { error, batch: id })
      unanswered = error instanceof Unanswered ? unanswered + 1 : 0
      if (unanswered === MAX_UNANSWERED) return
    }
  }
}

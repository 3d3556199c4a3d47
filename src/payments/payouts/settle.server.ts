import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { mailMember } from '../../notifications/mail/caseMail.server.ts'
import { sendPush } from '../../notifications/push/push.enqueue.server.ts'
import { lockBalance } from '../balance.server.ts'
import { type Entry, recordTransfer, sellerAccount } from '../ledger/transfers.store.server.ts'
import type { PayoutTruth } from './payOut.ts'
import type { Payouts } from './context.server.ts'
import { describeEnd, isOpen } from './payout.rules.ts'
import { type BatchRow, findBatch } from './batches.store.server.ts'
import {
  changePayout,
  findPayout,
  lockPayout,
  type PayoutRow,
  rejectDetails,
  reopenMonth,
} from './payouts.store.server.ts'
import { firstOf, required } from '../../kit/values/required.ts'

// Only this file changes a payout after it was sent, with its money in the same transaction. Replies, events, polls and
// staff decisions arrive here in any order and repeatedly.

export type Ending =
  | { state: 'processing'; reason: string | null }
  | { state: 'sent' }
  | { state: 'failed' | 'returned'; cause: 'details' | 'shop'; reason: string }

export const payoutAccount = (id: string) => `payouts:${id}`

export const holdMoney = (tx: Tx, { id, sellerId, amountCents }: PayoutRow) =>
  recordTransfer(tx, null, [
    { account: sellerAccount(sellerId), amountCents },
    { account: payoutAccount(id), amountCents: -amountCents },
  ])

const sourceOf = (batch: BatchRow | undefined) =>
  batch?.provider ? `provider:${batch.provider}:${batch.mode}` : 'bank'

/** Checks a change of state. A failed or returned payout is final: the seller may have spent the money. */
function isNews(state: PayoutRow['state'], ending: Ending['state']): boolean {
  if (isOpen(state)) return true
  return state === 'sent' && (ending === 'failed' || ending === 'returned')
}

export function settlePayout(payouts: Payouts, id: string, ending: Ending): Promise<boolean> {
  return inTransaction(payouts.db, (tx) => settleIn(tx, payouts, id, ending))
}

/** Settles a payout. With `seen`, changes nothing if the payout joined another batch in the meantime. */
export async function settleIn(
  tx: Tx,
  payouts: Payouts,
  id: string,
  ending: Ending,
  seen?: Pick<PayoutRow, 'batchId'>,
): Promise<boolean> {
  const known = await findPayout(tx, id)
  if (!known) return false
  // lock order of every payout: batch, balance, payout
  await lockBalance(tx, known.sellerId)
  const payout = required(await lockPayout(tx, id), 'the payout')
  if (seen && seen.batchId !== payout.batchId) return false
  if (!isNews(payout.state, ending.state)) {
    if (!isOpen(payout.state) && payout.state !== 'sent' && ending.state === 'sent')
      log.error('the provider paid a payout that came back', { payout: id })
    return false
  }
  if (ending.state === 'processing') {
    await changePayout(tx, id, ending)
    return false
  }
  const { amountCents, sellerId } = payout
  const source = sourceOf(payout.batchId ? await findBatch(tx, payout.batchId) : undefined)
  const account = payoutAccount(id)
  const back: Entry[] = [
    { account, amountCents },
    { account: sellerAccount(sellerId), amountCents: -amountCents },
  ]
  if (ending.state === 'sent') {
    await changePayout(tx, id, { state: 'sent', reason: null })
    await recordTransfer(tx, null, [
      { account, amountCents },
      { account: source, amountCents: -amountCents },
    ])
    await tell(tx, payouts, payout, ending)
    return true
  }
  const wasSent = payout.state === 'sent'
  await changePayout(tx, id, ending)
  await recordTransfer(tx, null, [
    ...(wasSent
      ? [
          { account: source, amountCents },
          { account, amountCents: -amountCents },
        ]
      : []),
    ...back,
  ])
  if (ending.cause === 'details' && payout.approvedAt) await rejectDetails(tx, payout, ending.reason)
  if (payout.isScheduled) await reopenMonth(tx, sellerId)
  await tell(tx, payouts, payout, ending)
  return true
}

/** Applies the provider's state of a payout. Returns false if the payout is unknown or has another amount. */
export async function applyTruth(payouts: Payouts, truth: PayoutTruth): Promise<boolean> {
  const payout = isUuid(truth.id) ? await findPayout(payouts.db, truth.id) : undefined
  const isOurs = payout?.batchId && payout.amountCents === truth.amountCents && truth.currency === 'USD'
  if (!isOurs) {
    log.error('the provider names a payout that is not ours', { payout: truth.id, ref: truth.ref })
    return false
  }
  return settlePayout(payouts, truth.id, endingOf(truth))
}

function endingOf({ state, cause, reason }: PayoutTruth): Ending {
  if (state === 'paid') return { state: 'sent' }
  if (state === 'failed' || state === 'returned') return { state, cause, reason: (reason ?? state).slice(0, 300) }
  return { state: 'processing', reason: state === 'waiting' ? null : (reason ?? state) }
}

type EndedPayout = Exclude<Ending, { state: 'processing' }>

async function tell(tx: Tx, mailing: Payouts, payout: PayoutRow, ending: EndedPayout) {
  const { id, sellerId, amountCents, label } = payout
  const sum = usd(amountCents)
  const isSent = ending.state === 'sent'
  const subject = isSent
    ? `Your payout of ${sum} is on its way`
    : `Your payout of ${sum} ${ending.state === 'failed' ? 'failed' : 'came back'}`
  const why = isSent ? null : describeEnd(payout.method, ending.reason, ending.cause)
  const lines = isSent
    ? [`We have sent ${sum}${label ? ` to your ${label}` : ''}.`]
    : [why!, `${sum} is in your balance again.`]
  const actionLabel = !isSent && ending.cause === 'details' ? 'Correct your payout details' : 'Open your balance'
  await mailMember(tx, mailing, sellerId, {
    ...{ key: `payout-${ending.state}:${id}`, subject, lines },
    action: { label: actionLabel, path: '/balance' },
  })
  await sendPush(tx, sellerId, { key: `payout:${id}`, title: subject, body: firstOf(lines), url: '/balance' })
}

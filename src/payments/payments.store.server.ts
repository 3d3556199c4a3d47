import { type Selectable, sql } from 'kysely'
import { codeOf, type Db, isRetryable, now, type Tx } from '../kit/database.server.ts'
import { LANES } from '../kit/jobs.server.ts'
import type { PaymentsTable } from '../kit/tables.ts'
import {
  type Entry,
  FEES,
  providerAccount,
  recordTransfer,
  sellerAccount,
  transferOf,
} from './ledger/transfers.store.server.ts'
import * as statements from './payments.statements.server.ts'
import { only, required } from '../kit/values/required.ts'

// Only this file changes the states of payments; checkout decides when.

/** By the database's clock. `isLeased`: one caller is talking to the provider about it. A PaymentRef for the provider. */
export type Payment = Selectable<PaymentsTable> & { isLeased: boolean; ageMinutes: number; sentMinutes: number | null }

const LEASE_SECONDS = 30
const LEASE = sql<Date>`now() + ${LEASE_SECONDS} * interval '1 second'`

type NewPayment = { orderId: string; provider: string; mode: 'sandbox' | 'live'; amountCents: number }

export async function insertPayment(tx: Tx, payment: NewPayment & { walletId?: string }): Promise<Payment> {
  return only(await statements.insertPayment(tx, { walletId: null, ...payment }))
}

export const forgetProviderOrder = (tx: Tx, id: string) =>
  tx.updateTable('payments').set({ providerOrderId: null }).where('id', '=', id).execute()

export const findPayment = async (db: Db | Tx, id: string): Promise<Payment | undefined> =>
  (await statements.findPayment(db, { id }))[0]

export const findPaymentByProviderOrder = async (
  db: Db | Tx,
  provider: string,
  ref: string,
): Promise<Payment | undefined> => (await statements.findByProviderOrder(db, { provider, ref }))[0]

export const findPaymentByCapture = async (db: Db | Tx, captureId: string): Promise<Payment | undefined> =>
  (await statements.findByCapture(db, { captureId }))[0]

/**
 * Leases the capture of an approved payment in one call if nothing stands in its way: the order is pending and needs
 * no codes, and risk neither blocks the buyer nor waits for them. Returns the payment as it was before. On undefined the
 * caller takes the lease step by step, which says why.
 */
export async function leaseAtOnce(db: Db, userId: string, providerOrderId: string): Promise<Payment | undefined> {
  try {
    const [leased] = await statements.leaseAtOnce(db, { userId, providerOrderId, leaseSeconds: LEASE_SECONDS })
    return leased && { ...leased, status: 'created' }
  } catch (error) {
    // another payment of the order is being captured, or a deadlock
    if (codeOf(error) !== '23505' && !isRetryable(error)) throw error
    return undefined
  }
}

export const findPaymentOf = async (db: Db, userId: string, providerOrderId: string): Promise<Payment | undefined> =>
  (await statements.findOfBuyer(db, { userId, ref: providerOrderId }))[0]

/** The buyer's payment at a provider, by the provider's order id or by its own. */
export const findPaymentAt = async (
  db: Db,
  userId: string,
  provider: string,
  by: { ref: string } | { id: string },
): Promise<Payment | undefined> =>
  (
    await statements.findAtProvider(db, {
      ...{ userId, provider },
      ref: 'ref' in by ? by.ref : null,
      paymentId: 'id' in by ? by.id : null,
    })
  )[0]

export const lockPaymentsOf = (tx: Tx, orderId: string): Promise<Payment[]> => statements.lockPayments(tx, { orderId })

export const paymentsOf = (db: Db | Tx, orderId: string): Promise<Payment[]> => statements.listPayments(db, { orderId })

/**
 * Stores the provider's order id and answers the payment as it is then. A payment that has ended meanwhile stays ended; with
 * the id it can be closed at the provider.
 */
export const nameAtProvider = async (db: Db, id: string, providerOrderId: string): Promise<Payment> =>
  (await statements.nameAtProvider(db, { id, providerOrderId }))[0] ??
  required(await findPayment(db, id), 'the payment')

type Change = Partial<
  Pick<Payment, 'status' | 'providerOrderId' | 'providerCaptureId' | 'lastError' | 'declines' | 'declinedCaptures'>
> & { leaseUntil?: typeof LEASE | null; closedAt?: typeof now }

/** A payment that is not being captured has no lease. */
export async function changePayment(tx: Tx, id: string, change: Change) {
  await tx
    .updateTable('payments')
    .set({
      updatedAt: now,
      ...(change.status && change.status !== 'capturing' && { leaseUntil: null }),
      ...change,
    })
    .where('id', '=', id)
    .execute()
}

export const OPEN_STATES: Payment['status'][] = ['creating', 'created', 'capturing', 'declined']

export const isOpen = ({ status }: Pick<Payment, 'status'>) =>
  status === 'creating' || status === 'created' || status === 'declined'

export const hasEnded = ({ status }: Pick<Payment, 'status'>) =>
  status === 'canceled' || status === 'expired' || status === 'failed'

export async function touchPayment(db: Db, id: string) {
  await db
    .updateTable('payments')
    .set({ updatedAt: now })
    .where('id', '=', id)
    .where('status', 'in', OPEN_STATES)
    .execute()
}

/**
 * Enqueues the captures whose lease ended without a result, once each; the reconciler repeats. Their jobs run after
 * others, because an absent provider lets each wait for seconds.
 */
export async function enqueueOverdue(db: Db) {
  await statements.enqueueOverdue(db, { lanes: LANES })
}

/** Until the lease ends, only this caller talks to the provider about the payment. */
export const leaseCapture = (tx: Tx, id: string) => changePayment(tx, id, { status: 'capturing', leaseUntil: LEASE })

/** Keeps a verified capture while risk holds the goods: nothing but the decision ends the payment. */
export async function keepTaken(tx: Tx, payment: Payment, providerCaptureId: string) {
  await changePayment(tx, payment.id, { status: 'capturing', leaseUntil: null, providerCaptureId })
  if (!isTaken(payment)) await moveToReview(tx, payment, payment.amountCents)
}

/** Captured money that waits for a decision of staff: no seller's yet, and perhaps the buyer's again. */
const REVIEW = 'review'

/** Ends the review of money that was refused or went back; money that waits for its refund stands in no account. */
export async function endReview(tx: Tx, payment: Payment) {
  if (isTaken(payment)) await moveToReview(tx, payment, -payment.amountCents)
}

const moveToReview = (tx: Tx, payment: Payment, amountCents: number) =>
  recordTransfer(tx, payment.id, [
    { account: providerAccount(payment), amountCents },
    { account: REVIEW, amountCents: -amountCents },
  ])

export const isTaken = ({ status, providerCaptureId }: Pick<Payment, 'status' | 'providerCaptureId'>) =>
  status === 'capturing' && providerCaptureId !== null

/** What the seller of a line earned: `grossCents` is what the buyer paid for it, `feeCents` what the shop keeps. */
export type Earning = { orderLineId: string; orderId: string; sellerId: string; grossCents: number; feeCents: number }
type Taking = {
  captureId: string
  card?: string | undefined
  /** Where the money came from: positive entries that pay for the earnings. */
  from: Entry[]
  earnings: Earning[]
  holdDays: number
}

/** Ends a payment whose money became goods, and writes its transfer and what it earned, in one statement. */
export async function takeMoney(tx: Tx, paymentId: string, { captureId, card, from, earnings, holdDays }: Taking) {
  const providerCaptureId = captureId
  const captured = {
    ...({ status: 'captured', providerCaptureId, lastError: null, leaseUntil: null, updatedAt: now } as const),
    ...(card && { card }),
  }
  await tx
    .with('taken', (db) => db.updateTable('payments').set(captured).where('id', '=', paymentId))
    .with('earned', (db) => db.insertInto('earnings').values(earnings.map(availableIn(holdDays))))
    .insertInto('ledgerEntries')
    .values(transferOf(paymentId, [...from, ...owedFor(earnings)]))
    .execute()
}

const availableIn = (holdDays: number) => (earning: Earning) => ({
  ...earning,
  availableAt: sql<Date>`now() + ${holdDays}::int * interval '1 day'`,
})

/** Writes the sales of an order that cost nothing: they count, and no money moves. */
export async function noteEarnings(tx: Tx, earnings: Earning[], holdDays: number) {
  await tx
    .insertInto('earnings')
    .values(earnings.map(availableIn(holdDays)))
    .execute()
}

/** What the shop owes for sales: to each seller without the fee, and the fees to itself. */
function owedFor(earnings: Earning[]): Entry[] {
  const cents = new Map<string, number>()
  const add = (account: string, more: number) => cents.set(account, (cents.get(account) ?? 0) - more)
  for (const { sellerId, grossCents, feeCents } of earnings) {
    add(sellerAccount(sellerId), grossCents - feeCents)
    add(FEES, feeCents)
  }
  return [...cents].map(([account, amountCents]) => ({ account, amountCents })).filter(isMove)
}

const isMove = ({ amountCents }: Entry) => amountCents !== 0

/** Where the captured money of a payment is before the seller gets it. */
export const sourceAccount = (payment: Payment) => (isTaken(payment) ? REVIEW : providerAccount(payment))

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

// Only this file changes the status of payments. Checkout decides when.

/** `isLeased`: a caller holds the lease and talks to the provider. The database's clock measures the minutes. */
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
 * Leases the capture of an approved payment in one statement and returns the payment as it was before. Requires a
 * pending order without codes and no risk block or hold. After undefined, the caller leases in separate steps, which
 * report the reason.
 */
export async function leaseAtOnce(db: Db, userId: string, providerOrderId: string): Promise<Payment | undefined> {
  try {
    const [leased] = await statements.leaseAtOnce(db, { userId, providerOrderId, leaseSeconds: LEASE_SECONDS })
    return leased && { ...leased, status: 'created' }
  } catch (error) {
    // another payment of the order is being captured, or a deadlock occurred
    if (codeOf(error) !== '23505' && !isRetryable(error)) throw error
    return undefined
  }
}

export const findPaymentOf = async (db: Db, userId: string, providerOrderId: string): Promise<Payment | undefined> =>
  (await statements.findOfBuyer(db, { userId, ref: providerOrderId }))[0]

/** Finds the buyer's payment by the provider's order id or the payment id. */
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
 * Stores the provider's order id and returns the current payment. A payment that ended in the meantime stays ended; the
 * id lets the shop close it at the provider.
 */
export const nameAtProvider = async (db: Db, id: string, providerOrderId: string): Promise<Payment> =>
  (await statements.nameAtProvider(db, { id, providerOrderId }))[0] ??
  required(await findPayment(db, id), 'the payment')

type Change = Partial<
  Pick<Payment, 'status' | 'providerOrderId' | 'providerCaptureId' | 'lastError' | 'declines' | 'declinedCaptures'>
> & { leaseUntil?: typeof LEASE | null; closedAt?: typeof now }

/** Changes a payment. Without 'capturing' status, a payment has no lease. */
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
 * Enqueues captures whose lease expired without a result, once each. Their jobs have a low priority, because each can
 * wait seconds for an unavailable provider.
 */
export async function enqueueOverdue(db: Db) {
  await statements.enqueueOverdue(db, { lanes: LANES })
}

/** Leases the capture. Until the lease ends, only this caller sends requests about the payment. */
export const leaseCapture = (tx: Tx, id: string) => changePayment(tx, id, { status: 'capturing', leaseUntil: LEASE })

/** Stores a verified capture while risk holds the goods. Only the risk decision ends the payment. */
export async function keepTaken(tx: Tx, payment: Payment, providerCaptureId: string) {
  await changePayment(tx, payment.id, { status: 'capturing', leaseUntil: null, providerCaptureId })
  if (!isTaken(payment)) await moveToReview(tx, payment, payment.amountCents)
}

/** Holds captured money until staff decide: the seller earns it, or the buyer gets a refund. */
const REVIEW = 'review'

/** Ends the review of refused or refunded money. */
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

/** Earnings of a line: `grossCents` is the buyer's payment, `feeCents` the shop's fee. */
export type Earning = { orderLineId: string; orderId: string; sellerId: string; grossCents: number; feeCents: number }
type Taking = {
  captureId: string
  card?: string | undefined
  /** Positive entries for the sources of the money. */
  from: Entry[]
  earnings: Earning[]
  holdDays: number
}

/** Completes a payment: records its transfer and its earnings in one statement. */
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

/** Records the sales of a free order without a transfer. */
export async function noteEarnings(tx: Tx, earnings: Earning[], holdDays: number) {
  await tx
    .insertInto('earnings')
    .values(earnings.map(availableIn(holdDays)))
    .execute()
}

/** Returns the ledger entries for sales: sellers get the price without the fee, the shop gets the fee. */
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

/** The account of captured money before the seller earns it. */
export const sourceAccount = (payment: Payment) => (isTaken(payment) ? REVIEW : providerAccount(payment))

import { type Db, inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { Mailing } from '../../notifications/mail/caseMail.server.ts'
import { type Outcome, type PaymentRef, type RefundOutcome, Unanswered } from '../../payments/outcome.ts'
import type { Probed, Provider } from '../../payments/provider.ts'
import type { Chain } from './chain.server.ts'
import { askForAddress } from './level.server.ts'
import { ensureCursor, findCursor } from './cursor.store.server.ts'
import { readBooks, readReport } from './report.server.ts'
import {
  type AddressRow,
  closeAddress,
  countUnpaidAddresses,
  findAddressOf,
  giveAddress,
  nextIndex,
  type Place,
  reopenAddress,
  reuseAddress,
  standingIn,
} from './transfers.store.server.ts'
import { centsOf, formatUnits, isOpenPayment, isTestNetwork, unitsOf } from './units.rules.ts'
import { methodLabel, USDC } from '../../payments/methods.ts'
import { required } from '../../kit/values/required.ts'

export type UsdcContext = {
  db: Db
  chain: Chain
  place: Place
  confirmations: number
  wallet: { addressAt: (index: number) => string }
  mailing: Mailing
}

const NOBODY = { id: null, country: null, isVerified: null }

/** USDC as a payment provider. It reads the rows of the scanner, so it never waits for the chain. */
export function createUsdc(context: UsdcContext): Provider {
  const { db, chain, place } = context
  return {
    name: USDC,
    label: methodLabel(USDC),
    hint: 'You send USDC from your own wallet. It takes about a minute.',
    step: 'transfer',
    mode: isTestNetwork(place.chainId) ? 'sandbox' : 'live',
    credentials: 'CRYPTO_XPUB, CRYPTO_RPC_URLS, CRYPTO_CHAIN and CRYPTO_TOKEN',
    hosts: { scripts: [], connects: [], frames: [] },
    canVerifyEvents: true,
    identifiesPayer: false,
    hasNoEvents: true,

    start: async (payment) => {
      const row = (await findAddressOf(db, payment.id)) ?? (await openAddress(context, payment))
      if (row.chainId !== place.chainId || row.token !== place.token) throw new Unanswered('the chain has changed')
      if (row.closedAt) await reopenAddress(db, payment.id)
      const { address, units, expiresAt } = row
      const next = {
        kind: 'transfer',
        address,
        amount: formatUnits(units),
        expiresAt: expiresAt.toISOString(),
      } as const
      return { ref: address, next }
    },

    capture: async (payment) => {
      const outcome = await find(db, payment)
      // a partial amount cannot be captured: the payment waits again
      if (outcome.kind === 'partial') return { kind: 'waiting', ref: outcome.ref }
      return outcome.kind === 'approved' ? { kind: 'pending', ref: outcome.ref } : outcome
    },

    find: (payment) => find(db, payment),

    close: async (payment) => {
      // closing must not lose a transfer that is not confirmed yet
      if (await closeAddress(db, payment.id)) return { kind: 'gone' }
      const outcome = await find(db, payment)
      // money that arrived after the payment ended is for staff to decide
      return outcome.kind === 'captured' || (await isOpenAt(db, payment.id)) ? outcome : { kind: 'gone' }
    },

    refund: ({ id }) => refund(context, id),
    findRefund: async () => ({ paymentId: null, outcome: { kind: 'refused', reason: 'unknown' } }),
    report: (day) => readReport(context, day),
    books: (day, refs) => readBooks(context, day, refs),
    readEvent: async () => 'forged',
    subjectOf: () => null,

    probe: async (): Promise<Probed> => {
      const top = await chain.head()
      if (top.kind !== 'head') return top.kind === 'away' ? 'away' : 'refused'
      return (await findCursor(db, place))?.isAlarmed ? 'away' : 'ready'
    },
  }
}

async function isOpenAt(db: Db, paymentId: string): Promise<boolean> {
  const payment = await db.selectFrom('payments').select('status').where('id', '=', paymentId).executeTakeFirst()
  return payment !== undefined && isOpenPayment(payment.status)
}

/** Limit of unpaid addresses of a member within a day, because the scanner watches each for a month. */
const MAX_UNPAID_A_DAY = 20
const TOO_MANY = new Failure(
  429,
  'You started many USDC payments today without paying. Pay one of them, or choose another way to pay.',
  'too_many_addresses',
  { retryAfter: 3600 },
)

/** The shop shows no address while it cannot see transfers. */
async function openAddress(context: UsdcContext, payment: PaymentRef): Promise<AddressRow> {
  const { db, chain, place, confirmations, wallet } = context
  const top = await chain.head()
  if (top.kind !== 'head') throw new Unanswered(top.why)
  await ensureCursor(db, place, top.number)
  const cursor = await findCursor(db, place)
  if (cursor?.isAlarmed) throw new Unanswered(cursor.trouble ?? 'the scan stands still')
  const units = unitsOf(payment.amountCents)
  if ((await countUnpaidAddresses(db, payment.id)) >= MAX_UNPAID_A_DAY) throw TOO_MANY
  if (await reuseAddress(db, { ...place, paymentId: payment.id, units, confirmations }))
    return required(await findAddressOf(db, payment.id), 'the address of the payment')
  const index = await nextIndex(db)
  const address = wallet.addressAt(index)
  await giveAddress(db, { ...place, paymentId: payment.id, address, index, units, confirmations })
  return required(await findAddressOf(db, payment.id), 'the address of the payment')
}

async function find(db: Db, payment: PaymentRef): Promise<Outcome> {
  const row = await findAddressOf(db, payment.id)
  if (!row) return { kind: 'gone' }
  const ref = row.address
  const { kind, seenUnits } = await standingIn(db, row)
  if (kind === 'confirmed') {
    // captures exactly the amount due; an excess becomes a separate exception
    return {
      kind: 'captured',
      ref,
      captureRef: ref,
      paymentId: payment.id,
      amountCents: centsOf(row.units),
      currency: 'USD',
      isReturned: false,
      payer: NOBODY,
      saved: null,
    }
  }
  if (kind === 'seen') return { kind: payment.sentMinutes === null ? 'approved' : 'pending', ref }
  if (kind === 'partial') return { kind, ref, receivedCents: centsOf(seenUnits) }
  return row.closedAt ? { kind: 'gone' } : { kind: 'waiting', ref }
}

/** The shop has no private key: staff send the money, and the chain proves the transfer. */
async function refund({ db, mailing }: UsdcContext, refundId: string): Promise<RefundOutcome> {
  const waiting = { kind: 'pending', ref: refundId, waitsForStaff: true } as const
  return inTransaction(db, async (tx) => {
    const known = await tx
      .selectFrom('usdcExceptions')
      .select(['state', 'amountCents'])
      .where('refundId', '=', refundId)
      .executeTakeFirst()
    if (known?.state === 'done')
      return { kind: 'completed', ref: refundId, refundId, amountCents: known.amountCents } as const
    if (known) return waiting
    const { paymentId, amountCents, orderId } = await tx
      .selectFrom('refunds as r')
      .innerJoin('payments as p', 'p.id', 'r.paymentId')
      .select(['r.paymentId', 'r.amountCents', 'p.orderId'])
      .where('r.id', '=', refundId)
      .executeTakeFirstOrThrow()
    // money that a reorganisation removed cannot be refunded
    const lost = await tx
      .selectFrom('usdcExceptions')
      .select('id')
      .where('paymentId', '=', paymentId)
      .where('kind', '=', 'reorganised')
      .where((row) => row.or([row('state', '<>', 'done'), row('resolution', '=', 'written_off')]))
      .executeTakeFirst()
    if (lost) return { kind: 'refused', reason: 'REORGANISED' } as const
    const made = await tx
      .insertInto('usdcExceptions')
      .values({ paymentId, refundId, kind: 'refund', amountCents })
      .onConflict((conflict) => conflict.column('refundId').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made) await askForAddress(tx, mailing, orderId, { id: made.id, kind: 'refund', amountCents })
    return waiting
  })
}

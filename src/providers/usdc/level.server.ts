import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { mailMember, type Mailing } from '../../notifications/mail/caseMail.server.ts'
import { providerAccount, recordTransfer } from '../../payments/ledger/transfers.store.server.ts'
import type { Payment } from '../../payments/payments.store.server.ts'
import { refundedCents } from '../../payments/refunds.store.server.ts'
import { type AddressRow, findAddressOf, standingIn, transfersTo } from './transfers.store.server.ts'
import { centsOf, exceptionOf, isOpenPayment, isUnpaidEnd } from './units.rules.ts'
import { only, required } from '../../kit/values/required.ts'
import * as statements from './usdcExceptions.statements.server.ts'

// Reconciles the ledger with the chain. After a payment ended, the provider's account holds the confirmed money minus
// refunds. Money that paid for no order is in a separate account until staff decide.

export type Leveling = Mailing & { db: Db }

/** Money that paid for no order. Positive when a reorganisation removed money that did. */
const UNCLAIMED = 'usdc:unclaimed'
/** Money that the shop lost to reorganisations. */
const LOSSES = 'usdc:losses'

async function findDue(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('usdcAddresses as a')
    .innerJoin('payments as p', 'p.id', 'a.paymentId')
    .select('p.id')
    .where('a.isDue', '=', true)
    .where('p.status', 'not in', ['creating', 'created', 'capturing', 'declined'])
    .orderBy('p.updatedAt')
    .limit(200)
    .execute()
  return rows.map(({ id }) => id)
}

export async function levelAll(leveling: Leveling) {
  for (const id of await findDue(leveling.db)) await levelPayment(leveling, id)
}

export const levelPayment = (leveling: Leveling, paymentId: string) =>
  inTransaction(leveling.db, (tx) => levelIn(tx, leveling, paymentId))

type Leveled = Pick<Payment, 'id' | 'status' | 'orderId' | 'amountCents' | 'provider' | 'mode'>

async function levelIn(tx: Tx, leveling: Mailing, paymentId: string) {
  const payment: Leveled | undefined = await tx
    .selectFrom('payments')
    .select(['id', 'status', 'orderId', 'amountCents', 'provider', 'mode'])
    .where('id', '=', paymentId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const row = payment && (await findAddressOf(tx, paymentId))
  if (!row || isOpenPayment(payment.status)) return
  // the payment is about to settle, so no money is unclaimed yet
  const { kind } = await standingIn(tx, row)
  if (isUnpaidEnd(payment.status) && (kind === 'seen' || kind === 'confirmed')) return
  const confirmedCents = await confirmedIn(tx, row)
  const account = providerAccount(payment)
  const owedCents = await levelLedger(tx, payment, account, confirmedCents)
  await keepException(tx, leveling, payment, row, { confirmedCents, owedCents })
  await tx.updateTable('usdcAddresses').set({ isDue: false }).where('address', '=', row.address).execute()
}

async function confirmedIn(tx: Tx, { address }: AddressRow): Promise<number> {
  const transfers = await transfersTo(tx, address)
  return centsOf(transfers.reduce((sum, { units, isConfirmed }) => sum + (isConfirmed ? units : 0), 0))
}

/** Returns the unclaimed cents. Negative when money of a completed order is missing. */
async function levelLedger(tx: Tx, { id }: Leveled, account: string, confirmedCents: number): Promise<number> {
  const sentCents = (await refundedCents(tx, id, ['completed'])) + (await returnedOf(tx, id))
  const delta = confirmedCents - sentCents - (await bookedOn(tx, id, account))
  if (delta !== 0) {
    await recordTransfer(tx, id, [
      { account, amountCents: delta },
      { account: UNCLAIMED, amountCents: -delta },
    ])
  }
  const owedCents = 0 - (await bookedOn(tx, id, UNCLAIMED))
  // money that returns after a written-off loss belongs to the shop
  const regainedCents = Math.min(owedCents, await bookedOn(tx, id, LOSSES))
  if (regainedCents <= 0) return owedCents
  await writeOff(tx, id, -regainedCents)
  return owedCents - regainedCents
}

const bookedOn = async (tx: Tx, paymentId: string, account: string): Promise<number> =>
  only(await statements.sumBooked(tx, { paymentId, account })).cents

const returnedOf = async (tx: Tx, paymentId: string): Promise<number> =>
  only(await statements.sumReturned(tx, { paymentId })).cents

type Sums = { confirmedCents: number; owedCents: number }

/** Opens, changes or closes the exception of a payment. An exception that staff already sent does not change. */
async function keepException(tx: Tx, leveling: Mailing, payment: Leveled, row: AddressRow, sums: Sums) {
  const open = await tx
    .selectFrom('usdcExceptions')
    .select(['id', 'state', 'kind', 'amountCents', 'refundAddress'])
    .where('paymentId', '=', payment.id)
    .where('kind', '<>', 'refund')
    .where('state', '<>', 'done')
    .executeTakeFirst()
  if (open?.state === 'sent') return
  const wanted = exceptionOf({ ...sums, status: payment.status, amountCents: payment.amountCents })
  if (!wanted) {
    if (open) await endException(tx, open.id, row.acceptedAt ? 'settled' : 'recovered')
    return
  }
  if (open && open.kind === wanted.kind && open.amountCents === wanted.amountCents) return
  // staff may be sending this amount already, so additional money becomes a separate exception later
  if (open?.refundAddress && wanted.amountCents > open.amountCents) return
  if (open) {
    await tx
      .updateTable('usdcExceptions')
      .set({ ...wanted, problem: null })
      .where('id', '=', open.id)
      .execute()
    return
  }
  const { id } = await tx
    .insertInto('usdcExceptions')
    .values({ paymentId: payment.id, ...wanted })
    .returning('id')
    .executeTakeFirstOrThrow()
  log.warn('a USDC payment needs a decision of staff', { payment: payment.id, ...wanted })
  if (wanted.kind !== 'reorganised') await askForAddress(tx, leveling, payment.orderId, { id, ...wanted })
}

export async function endException(
  tx: Tx,
  id: string,
  resolution: 'returned' | 'settled' | 'recovered' | 'written_off',
  transfer: { txHash: string; logIndex: number } | null = null,
) {
  await tx
    .updateTable('usdcExceptions')
    .set({ state: 'done', resolution, doneAt: now, problem: null, ...transfer })
    .where('id', '=', id)
    .execute()
}

/** Books a loss by a reorganisation to the shop. A negative amount is regained money. */
export async function writeOff(tx: Tx, paymentId: string, amountCents: number) {
  await recordTransfer(tx, paymentId, [
    { account: LOSSES, amountCents },
    { account: UNCLAIMED, amountCents: -amountCents },
  ])
}

const WHY: Record<string, (sum: string) => string> = {
  underpaid: (sum) =>
    `We received ${sum} in USDC, which is less than your order costs, and the time to pay has run out.`,
  overpaid: (sum) => `You sent ${sum} in USDC more than your order costs. Your order is not affected.`,
  late: (sum) => `We received ${sum} in USDC after the time to pay had run out.`,
  refund: (sum) => `${sum} of your order goes back to you in USDC.`,
}

/** Asks the buyer by mail, once for each exception. The sender's address is unsafe: it may belong to an exchange. */
export async function askForAddress(
  tx: Tx,
  leveling: Mailing,
  orderId: string,
  { id, kind, amountCents }: { id: string; kind: string; amountCents: number },
) {
  const { userId } = await tx.selectFrom('orders').select('userId').where('id', '=', orderId).executeTakeFirstOrThrow()
  const sum = usd(amountCents)
  await mailMember(tx, leveling, userId, {
    key: `usdc:${id}`,
    subject: `Where shall we send ${sum} in USDC?`,
    lines: [
      required(WHY[kind], 'the text for the kind')(sum),
      'Tell us the address of your wallet on the same network. We never send money to the address that it came from.',
    ],
    action: { label: 'Give an address', path: `/pay/${orderId}` },
  })
}

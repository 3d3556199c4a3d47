// Over 300 lines, because the buyer’s half and the half of staff answer from the same rows.
import { type SelectQueryBuilder, sql } from 'kysely'
import { OWN_PURCHASE, recordAct } from '../../identity/audit/audit.server.ts'
import type { Act } from '../../identity/audit/audit.rules.ts'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { addJob, laneOf } from '../../kit/jobs.server.ts'
import { mailMember, type Mailing } from '../../moderation/moderation.mail.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { endException, writeOff } from './level.server.ts'
import {
  type ExceptionQueue,
  getTransfer,
  giveRefundAddress,
  listExceptions,
  MANY_EXCEPTIONS,
  markSent,
  type QueuedException,
  settleLate,
  type TransferException,
  type TransferPayment,
  writeOffLoss,
} from './transfers.contract.ts'
import { acceptLate, type AddressRow, findAddressOf, standingIn, transfersTo } from './transfers.store.server.ts'
import { formatUnits, isOpenPayment, isTestNetwork, networkName, transferUri, unitsOf } from './units.rules.ts'

// What buyers see of a transfer, and what staff decide. They need no chain, so they answer without its settings too: money
// may wait for a decision after an operator has removed them.

const limits: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]
/** Limit of changes, because each change sends a mail. */
const changes: Limit[] = [{ per: 'account', count: 10, seconds: 3600, isShared: true }]
const WAIT_HOURS = 24
const NOT_FOUND = new Failure(404, 'Not found')
const DECIDED = new Failure(409, 'This was decided meanwhile. Please look again.', 'decided')
const NEW_ADDRESS = new Failure(
  409,
  `The buyer has changed the address. It waits ${WAIT_HOURS} hours, in case someone else changed it.`,
  'address_new',
)
const NO_ADDRESS = new Failure(409, 'The buyer has not given an address yet.', 'address_missing')
const NOT_LATE = new Failure(409, 'Only a late payment of the whole amount can complete its order.', 'not_late')
const NO_LOSS = new Failure(409, 'Nothing is lost here.', 'no_loss')
const NOTHING_TO_SEND = new Failure(409, 'Nothing has to be sent back here, or it is on its way.', 'nothing_to_send')
const WRONG_ADDRESS = new Failure(
  409,
  'This is no address with a valid checksum. Copy it from your wallet with its capital and small letters.',
  'address_wrong',
)
const SHOPS_ADDRESS = new Failure(
  409,
  'This address is the shop’s or the token’s own. Give your wallet’s.',
  'address_wrong',
)

export const transferRoutes = (mailing: Mailing): Route[] => [
  handle(getTransfer, { limits }, ({ orderId }, { user, db }) => readTransfer(db, user.id, orderId)),

  handle(giveRefundAddress, { limits: changes }, async ({ orderId, address }, { user, db }) => {
    const { row } = await findOwn(db, user.id, orderId)
    const { isChecksummed } = await import('./address.server.ts')
    if (!isChecksummed(address) || /^0x0{40}$/.test(address)) throw WRONG_ADDRESS
    await inTransaction(db, async (tx) => {
      const isShops = await tx.selectFrom('usdcAddresses').select('address').where('address', '=', address).execute()
      if (isShops.length > 0 || address === row.token) throw SHOPS_ADDRESS
      const open = await tx
        .selectFrom('usdcExceptions')
        .select(['id', 'refundAddress'])
        .where('paymentId', '=', row.paymentId)
        .where('state', '=', 'open')
        .where('kind', '<>', 'reorganised')
        .orderBy('id')
        .forUpdate()
        .execute()
      if (open.length === 0) throw NOTHING_TO_SEND
      const others = open.filter(({ refundAddress }) => refundAddress !== address)
      for (const { id, refundAddress } of others) await changeAddress(tx, id, refundAddress, address)
      if (others.length > 0) await mailAddress(tx, mailing, { userId: user.id, orderId, address, others })
    })
    return readTransfer(db, user.id, orderId)
  }),

  handle(listExceptions, async ({ queue }, { user, db }) => ({
    exceptions: await readQueue(db, queue, user.id),
    trouble: await readTrouble(db),
  })),

  handle(markSent, { limits }, ({ id, txHash }, { user, db }) =>
    decide(
      db,
      id,
      user.id,
      async (tx, found) => {
        if (found.kind === 'reorganised') throw DECIDED
        if (!found.refundAddress) throw NO_ADDRESS
        if (found.isWaiting) throw NEW_ADDRESS
        await tx
          .updateTable('usdcExceptions')
          .set({ state: 'sent', txHash, problem: null })
          .where('id', '=', id)
          .execute()
        return 'transfer.sent'
      },
      true,
    ),
  ),

  handle(settleLate, { limits }, ({ id }, { user, db }) =>
    decide(db, id, user.id, async (tx, { kind, paymentId }) => {
      if (kind !== 'late') throw NOT_LATE
      await acceptLate(tx, paymentId)
      await addJob(
        tx,
        'hear_payment',
        { id: paymentId },
        { key: `hear_payment:${paymentId}`, queue: laneOf('usdc', paymentId) },
      )
      return 'transfer.settled'
    }),
  ),

  handle(writeOffLoss, { limits }, ({ id }, { user, db }) =>
    decide(db, id, user.id, async (tx, { kind, paymentId, amountCents }) => {
      if (kind !== 'reorganised') throw NO_LOSS
      await writeOff(tx, paymentId, amountCents)
      await endException(tx, id, 'written_off')
      return 'transfer.written_off'
    }),
  ),
]

/** A changed address waits. The first address does not, because the buyer waits for the money. */
const changeAddress = (tx: Tx, id: string, former: string | null, address: string) =>
  tx
    .updateTable('usdcExceptions')
    .set({
      refundAddress: address,
      ...(former !== null && {
        formerAddresses: sql<string[]>`array_append(former_addresses, ${former})`,
        addressWaitsUntil: sql<Date>`now() + ${WAIT_HOURS} * interval '1 hour'`,
      }),
    })
    .where('id', '=', id)
    .execute()

type AddressChange = { userId: string; orderId: string; address: string; others: { refundAddress: string | null }[] }

async function mailAddress(tx: Tx, mailing: Mailing, { userId, orderId, address, others }: AddressChange) {
  const isChange = others.some(({ refundAddress }) => refundAddress !== null)
  await mailMember(tx, mailing, userId, {
    key: `usdc-address:${orderId}:${Date.now()}`,
    subject: isChange ? 'The address of your USDC refund has changed' : 'Your USDC refund has an address',
    lines: [
      `We send the USDC of your order to ${address}.${isChange ? ` We wait ${WAIT_HOURS} hours first.` : ''}`,
      'You can correct the address until we send the money. If this was not you, change your password and message us at once.',
    ],
    action: { label: 'Open your order', path: `/orders/${orderId}` },
  })
}

type FoundException = {
  kind: QueuedException['kind']
  paymentId: string
  amountCents: number
  refundAddress: string | null
  isWaiting: boolean
}

/** Runs a decision about an open exception that is not the staff member's own purchase, with its audit. */
async function decide(
  db: Db,
  id: string,
  staffId: string,
  work: (tx: Tx, found: FoundException) => Promise<Act>,
  /** Staff may name another transaction while the one they named is not verified: a wallet may have replaced it. */
  isCorrecting = false,
): Promise<{ id: string }> {
  await inTransaction(db, async (tx) => {
    const known = await tx
      .selectFrom('usdcExceptions as e')
      .innerJoin('payments as p', 'p.id', 'e.paymentId')
      .innerJoin('orders as o', 'o.id', 'p.orderId')
      .select(['p.id as paymentId', 'o.id as orderId', 'o.userId'])
      .where('e.id', '=', id)
      .executeTakeFirst()
    if (!known) throw NOT_FOUND
    if (known.userId === staffId) throw OWN_PURCHASE
    // the order of leveling: payment, exception
    await sql`SELECT FROM payments WHERE id = ${known.paymentId}::uuid FOR NO KEY UPDATE`.execute(tx)
    const found = await tx
      .selectFrom('usdcExceptions')
      .select(['kind', 'state', 'paymentId', 'amountCents', 'refundAddress'])
      .select(sql<boolean>`coalesce(address_waits_until > now(), false)`.as('isWaiting'))
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const { acceptedAt } = (await findAddressOf(tx, known.paymentId))!
    // a late payment that staff accepted completes its order: its money is not to be sent
    const isOpen = found.state === 'open' || (isCorrecting && found.state === 'sent')
    if (!isOpen || (found.kind === 'late' && acceptedAt)) throw DECIDED
    const act = await work(tx, found)
    const details = { amount: formatUnits(unitsOf(found.amountCents)), kind: found.kind }
    await recordAct(tx, { actorId: staffId, act, subjectId: known.orderId, details })
  })
  return { id }
}

// --- the buyer's view

async function findOwn(db: Db, userId: string, orderId: string) {
  const found = await db
    .selectFrom('payments as p')
    .innerJoin('orders as o', 'o.id', 'p.orderId')
    .innerJoin('usdcAddresses as a', 'a.paymentId', 'p.id')
    .selectAll('a')
    .select(['p.status', 'o.status as orderStatus'])
    .where('o.id', '=', orderId)
    .where('o.userId', '=', userId)
    // the one that was paid, otherwise the newest
    .orderBy(sql`p.status IN ('captured', 'refunded', 'part_refunded')`, 'desc')
    .orderBy('a.hasTransfers', 'desc')
    .orderBy('p.createdAt', 'desc')
    .executeTakeFirst()
  if (!found) throw NOT_FOUND
  const { status, orderStatus, ...row } = found
  return { row: { ...row, paymentId: row.paymentId! }, status, orderStatus }
}

const SETTLED = new Set(['captured', 'refunded', 'part_refunded'])

function stateOf(status: string, standing: string, row: AddressRow): TransferPayment['state'] {
  if (SETTLED.has(status)) return 'paid'
  if (isOpenPayment(status) && !row.closedAt) {
    if (standing === 'confirmed') return 'seen'
    return standing as 'waiting' | 'partial' | 'seen'
  }
  return status === 'expired' && !row.closedAt ? 'expired' : 'closed'
}

async function readTransfer(db: Db, userId: string, orderId: string): Promise<TransferPayment> {
  const { row, status } = await findOwn(db, userId, orderId)
  const { kind } = await standingIn(db, row)
  const transfers = await transfersTo(db, row.address)
  const received = transfers.reduce((sum, { units }) => sum + units, 0)
  const rest = Math.max(0, row.units - received)
  const cursor = await db
    .selectFrom('usdcCursors')
    .select('blockNumber')
    .where('chainId', '=', row.chainId)
    .where('token', '=', row.token)
    .executeTakeFirst()
  const youngest = Math.max(0, ...transfers.filter((one) => !one.isConfirmed).map(({ blockNumber }) => blockNumber))
  const isAllConfirmed = transfers.length > 0 && youngest === 0
  const depth = youngest === 0 ? 0 : (cursor?.blockNumber ?? 0) - youngest + 1
  const exceptions = await db
    .selectFrom('usdcExceptions')
    .select(['id', 'kind', 'amountCents', 'state', 'refundAddress', 'txHash', 'resolution', 'addressWaitsUntil'])
    .where('paymentId', '=', row.paymentId)
    .where('kind', '<>', 'reorganised')
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const { chainId, token, address } = row
  return {
    orderId,
    state: stateOf(status, kind, row),
    network: networkName(chainId),
    isTest: isTestNetwork(chainId),
    token,
    address,
    amount: formatUnits(row.units),
    received: formatUnits(received),
    rest: formatUnits(rest),
    uri: transferUri({ token, chainId, address, units: rest }),
    confirmations: isAllConfirmed ? row.confirmations : Math.min(row.confirmations, Math.max(0, depth)),
    confirmationsNeeded: row.confirmations,
    expiresAt: row.expiresAt.toISOString(),
    transactions: transfers.map(({ txHash, units, isConfirmed }) => ({
      hash: txHash,
      amount: formatUnits(units),
      isConfirmed,
    })),
    exceptions: exceptions.map(shown),
  }
}

type ShownRow = Omit<TransferException, 'amount' | 'waitsUntil'> & {
  amountCents: number
  addressWaitsUntil: Date | null
}

const shown = <Row extends ShownRow>({ amountCents, addressWaitsUntil, ...row }: Row) => ({
  ...row,
  waitsUntil: addressWaitsUntil && addressWaitsUntil > new Date() ? addressWaitsUntil.toISOString() : null,
  amount: formatUnits(unitsOf(amountCents)),
})

// --- the queue of staff

async function readQueue(db: Db, queue: ExceptionQueue, staffId: string): Promise<QueuedException[]> {
  const rows = await inQueue(
    db
      .selectFrom('usdcExceptions as e')
      .innerJoin('payments as p', 'p.id', 'e.paymentId')
      .innerJoin('orders as o', 'o.id', 'p.orderId')
      .innerJoin('users as u', 'u.id', 'o.userId')
      .innerJoin('usdcAddresses as a', 'a.paymentId', 'e.paymentId')
      .select([
        'e.id',
        'e.kind',
        'e.amountCents',
        'e.state',
        'e.refundAddress',
        'e.addressWaitsUntil',
        'e.txHash',
        'e.resolution',
        'e.problem',
      ])
      .select(['e.createdAt', 'e.doneAt', 'o.id as orderId', 'o.userId', 'u.email as buyer'])
      .select(['a.address', 'a.units', 'a.chainId'])
      .select((row) =>
        row
          .selectFrom('usdcTransfers as t')
          .select(sql<number>`coalesce(sum(t.units), 0)::bigint`.as('units'))
          .whereRef('t.address', '=', 'a.address')
          .where('t.removedAt', 'is', null)
          .as('receivedUnits'),
      ),
    queue,
  )
    .limit(MANY_EXCEPTIONS)
    .execute()
  return rows.map(({ userId, units, chainId, receivedUnits, createdAt, doneAt, ...row }) => ({
    ...shown(row),
    due: formatUnits(units),
    received: formatUnits(receivedUnits ?? 0),
    network: networkName(chainId),
    createdAt: createdAt.toISOString(),
    doneAt: doneAt?.toISOString() ?? null,
    isOwn: userId === staffId,
  }))
}

const inQueue = <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>, queue: ExceptionQueue) =>
  queue === 'open'
    ? query
        .where(sql<boolean>`e.state <> 'done'`)
        .orderBy(sql`e.created_at`)
        .orderBy(sql`e.id`)
    : query
        .where(sql<boolean>`e.state = 'done'`)
        .orderBy(sql`e.done_at`, 'desc')
        .orderBy(sql`e.id`)

async function readTrouble(db: Db): Promise<{ why: string; since: string } | null> {
  const stopped = await db
    .selectFrom('usdcCursors')
    .select(['trouble', 'troubleAt'])
    .where('isAlarmed', '=', true)
    .where('troubleAt', '<', now)
    .executeTakeFirst()
  return stopped?.trouble && stopped.troubleAt ? { why: stopped.trouble, since: stopped.troubleAt.toISOString() } : null
}

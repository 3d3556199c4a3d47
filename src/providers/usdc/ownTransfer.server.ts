import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { mailMember, type Mailing } from '../../notifications/mail/caseMail.server.ts'
import { getTransfer, giveRefundAddress, type TransferPayment } from './transfers.contract.ts'
import { type AddressRow, showException, standingIn, transfersTo, WAIT_HOURS } from './transfers.store.server.ts'
import { formatUnits, isOpenPayment, isTestNetwork, networkName, transferUri } from './units.rules.ts'
import * as statements from './usdcAddresses.statements.server.ts'

// The buyer's view of a transfer. It reads only the database, so it works without USDC settings.

const limits: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]
/** Limit of changes, because each change sends a mail. */
const changes: Limit[] = [{ per: 'account', count: 10, seconds: 3600, isShared: true }]
const NOT_FOUND = new Failure(404, 'Not found')
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

export const ownTransferRoutes = (mailing: Mailing): Route[] => [
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
]

/** A changed address has a waiting time against account theft. The first address has none. */
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

async function findOwn(db: Db, userId: string, orderId: string) {
  const [found] = await statements.findOwn(db, { orderId, userId })
  if (!found) throw NOT_FOUND
  const { status, ...row } = found
  return { row: { ...row, paymentId: row.paymentId! }, status }
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
    exceptions: exceptions.map(showException),
  }
}

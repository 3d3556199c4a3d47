import type { Selectable } from 'kysely'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import type { UsdcAddressesTable } from '../../kit/tables.ts'
import { forgetProviderOrder } from '../../payments/payments.store.server.ts'
import type { TransferException } from './transfers.contract.ts'
import { formatUnits, type Standing, standingOf, type Transfer, unitsOf } from './units.rules.ts'
import * as statements from './usdcAddresses.statements.server.ts'
import { only } from '../../kit/values/required.ts'

export type AddressRow = Selectable<UsdcAddressesTable>
export type Place = { chainId: number; token: string }

export const nextIndex = async (db: Db): Promise<number> => only(await statements.nextIndex(db, {})).index

/** Assigns an address to the payment, once. It expires with the order. */
export async function giveAddress(
  db: Db,
  given: { paymentId: string; address: string; index: number; units: number; confirmations: number } & Place,
) {
  await statements.giveAddress(db, given)
}

/**
 * Reuses the address of an ended, unpaid order of the same member without transfers. Returns false if there is none.
 */
export const reuseAddress = (
  db: Db,
  given: { paymentId: string; units: number; confirmations: number } & Place,
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const { paymentId, units, confirmations, chainId, token } = given
    const [free] = await statements.lockReusable(tx, { paymentId, chainId, token })
    if (!free) return false
    await statements.moveAddress(tx, { paymentId, units, confirmations, address: free.address })
    // `provider_order_id` is unique, so clear it on the ended payment
    await forgetProviderOrder(tx, free.formerId)
    return true
  })

/** Counts the addresses without a transfer that the member got within a day. */
export const countUnpaidAddresses = async (db: Db, paymentId: string): Promise<number> =>
  only(await statements.countUnpaid(db, { paymentId })).addresses

/** The address of the guide's test payment, which belongs to no order. */
export async function giveTestAddress(
  db: Db,
  given: { address: string; units: number; confirmations: number } & Place,
) {
  await db
    .insertInto('usdcAddresses')
    .values({ ...given, derivationIndex: 0, expiresAt: now })
    .onConflict((conflict) => conflict.column('address').doUpdateSet({ chainId: given.chainId, token: given.token }))
    .execute()
}

export const findAddressOf = (db: Db | Tx, paymentId: string): Promise<AddressRow | undefined> =>
  db.selectFrom('usdcAddresses').selectAll().where('paymentId', '=', paymentId).executeTakeFirst()

export const findAddress = (db: Db | Tx, address: string): Promise<AddressRow | undefined> =>
  db.selectFrom('usdcAddresses').selectAll().where('address', '=', address).executeTakeFirst()

/**
 * Closes an address without transfers. Returns false if it has transfers or its payment expired: the scanner may still
 * read a block from before the end.
 */
export const closeAddress = async (db: Db, paymentId: string): Promise<boolean> =>
  (await statements.closeAddress(db, { paymentId })).length > 0

export async function reopenAddress(db: Db, paymentId: string) {
  await db.updateTable('usdcAddresses').set({ closedAt: null }).where('paymentId', '=', paymentId).execute()
}

export async function acceptLate(tx: Tx, paymentId: string) {
  await tx
    .updateTable('usdcAddresses')
    .set({ acceptedAt: now, isDue: true })
    .where('paymentId', '=', paymentId)
    .execute()
}

/** Returns the addresses at which money may still arrive. */
export const watchedAddresses = async (db: Db, { chainId, token }: Place): Promise<string[]> =>
  (await statements.listWatched(db, { chainId, token })).map(({ address }) => address)

export type SeenTransfer = Transfer & { txHash: string; seenAt: Date }

export async function transfersTo(db: Db | Tx, address: string): Promise<SeenTransfer[]> {
  const rows = await db
    .selectFrom('usdcTransfers')
    .select(['units', 'blockNumber', 'blockAt', 'confirmedAt', 'txHash', 'seenAt'])
    .where('address', '=', address)
    .where('removedAt', 'is', null)
    .orderBy('blockNumber')
    .orderBy('logIndex')
    .execute()
  return rows.map(({ confirmedAt, ...row }) => ({ ...row, isConfirmed: confirmedAt !== null }))
}

export async function standingIn(db: Db | Tx, row: AddressRow): Promise<Standing & { transfers: SeenTransfer[] }> {
  const { status } = await db
    .selectFrom('payments')
    .select('status')
    .where('id', '=', row.paymentId!)
    .executeTakeFirstOrThrow()
  const transfers = await transfersTo(db, row.address)
  const asked = {
    ...{ status, units: row.units, openedAt: row.createdAt, expiresAt: row.expiresAt },
    isClosed: row.closedAt !== null,
    isAccepted: row.acceptedAt !== null,
  }
  return { ...standingOf(asked, transfers), transfers }
}

/** Waiting time of a changed refund address. */
export const WAIT_HOURS = 24

type ShownRow = Omit<TransferException, 'amount' | 'waitsUntil'> & {
  amountCents: number
  addressWaitsUntil: Date | null
}

export const showException = <Row extends ShownRow>({ amountCents, addressWaitsUntil, ...row }: Row) => ({
  ...row,
  waitsUntil: addressWaitsUntil && addressWaitsUntil > new Date() ? addressWaitsUntil.toISOString() : null,
  amount: formatUnits(unitsOf(amountCents)),
})

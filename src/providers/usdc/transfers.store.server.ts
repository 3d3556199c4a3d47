import { type Selectable, sql } from 'kysely'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import type { UsdcAddressesTable } from '../../kit/tables.ts'
import { forgetProviderOrder } from '../../payments/payments.store.server.ts'
import type { TransferException } from './transfers.contract.ts'
import { formatUnits, type Standing, standingOf, type Transfer, unitsOf } from './units.rules.ts'
import { only } from '../../kit/values/required.ts'

export type AddressRow = Selectable<UsdcAddressesTable>
export type Place = { chainId: number; token: string }

export const nextIndex = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ index: number }>`SELECT nextval('usdc_address_index') AS index`.execute(db)
  return only(rows).index
}

/** Gives the payment an address, once; the time to pay is its order's. */
export async function giveAddress(
  db: Db,
  given: { paymentId: string; address: string; index: number; units: number; confirmations: number } & Place,
) {
  const { paymentId, address, index, units, confirmations, chainId, token } = given
  await sql`INSERT INTO usdc_addresses
      (address, derivation_index, payment_id, chain_id, token, units, confirmations, expires_at)
    SELECT ${address}, ${index}, p.id, ${chainId}, ${token}, ${units}, ${confirmations},
      coalesce(o.expires_at, now() + interval '30 minutes')
    FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.id = ${paymentId}::uuid
    ON CONFLICT (payment_id) DO NOTHING`.execute(db)
}

/** Minutes from the end of an unpaid order until its address is reused, because a late transfer may still arrive. */
const REUSE_AFTER_MINUTES = 60

/**
 * Reuses the address of an ended, unpaid order of the same member without transfers. Returns false if there is none.
 */
export const reuseAddress = (
  db: Db,
  given: { paymentId: string; units: number; confirmations: number } & Place,
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const { paymentId, units, confirmations, chainId, token } = given
    const { rows } = await sql<{ address: string; formerId: string }>`
      SELECT a.address, f.id AS "formerId" FROM payments p JOIN orders o ON o.id = p.order_id
      JOIN orders b ON b.user_id = o.user_id AND b.id <> o.id AND b.status = 'failed'
      JOIN payments f ON f.order_id = b.id AND f.status IN ('canceled', 'expired', 'failed')
      JOIN usdc_addresses a ON a.payment_id = f.id
      WHERE p.id = ${paymentId}::uuid AND a.chain_id = ${chainId} AND a.token = ${token} AND NOT a.has_transfers AND NOT a.is_due
        AND a.accepted_at IS NULL AND greatest(a.expires_at, b.updated_at) < now() - ${REUSE_AFTER_MINUTES} * interval '1 minute'
        AND NOT EXISTS (SELECT FROM usdc_exceptions e WHERE e.payment_id = f.id)
        AND NOT EXISTS (SELECT FROM usdc_transfers t WHERE t.address = a.address)
        AND NOT EXISTS (SELECT FROM usdc_addresses own WHERE own.payment_id = p.id)
      ORDER BY a.derivation_index LIMIT 1 FOR UPDATE OF a SKIP LOCKED`.execute(tx)
    const free = rows[0]
    if (!free) return false
    await sql`UPDATE usdc_addresses a SET payment_id = p.id, units = ${units}, confirmations = ${confirmations}, closed_at = NULL,
        created_at = now(), expires_at = coalesce(o.expires_at, now() + interval '30 minutes')
      FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.id = ${paymentId}::uuid AND a.address = ${free.address}`.execute(
      tx,
    )
    // the reference of a payment is unique
    await forgetProviderOrder(tx, free.formerId)
    return true
  })

/** Counts the addresses without a transfer that the member got within a day. */
export async function countUnpaidAddresses(db: Db, paymentId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM payments p
    JOIN orders o ON o.id = p.order_id JOIN orders own ON own.user_id = o.user_id
    JOIN payments q ON q.order_id = own.id JOIN usdc_addresses a ON a.payment_id = q.id
    WHERE p.id = ${paymentId}::uuid AND NOT a.has_transfers AND a.created_at > now() - interval '1 day'`.execute(db)
  return only(rows).count
}

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
 * Stops waiting at an address that nothing has arrived at. Answers false when something has, and for a payment that expired:
 * the scanner may yet read a block from before its end.
 */
export async function closeAddress(db: Db, paymentId: string): Promise<boolean> {
  const closed = await db
    .updateTable('usdcAddresses as a')
    .set({ closedAt: now })
    .where('paymentId', '=', paymentId)
    .where(sql<boolean>`(SELECT status FROM payments p WHERE p.id = a.payment_id) <> 'expired'`)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('usdcTransfers as t')
            .select('t.id')
            .whereRef('t.address', '=', 'a.address')
            .where('t.removedAt', 'is', null),
        ),
      ),
    )
    .returning('a.address')
    .executeTakeFirst()
  return closed !== undefined
}

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

/** Late money is looked for after an order ended, and always while staff have something to decide. */
const WATCHED_DAYS = 30

export async function watchedAddresses(db: Db, { chainId, token }: Place): Promise<string[]> {
  const rows = await db
    .selectFrom('usdcAddresses as a')
    .select('a.address')
    .where('a.chainId', '=', chainId)
    .where('a.token', '=', token)
    .where((row) =>
      row.or([
        row('a.createdAt', '>', sql<Date>`now() - ${WATCHED_DAYS} * interval '1 day'`),
        row('a.derivationIndex', '=', 0),
        row.exists(
          row
            .selectFrom('usdcExceptions as e')
            .select('e.id')
            .whereRef('e.paymentId', '=', 'a.paymentId')
            .where('e.state', '<>', 'done'),
        ),
      ]),
    )
    .orderBy('a.address')
    .execute()
  return rows.map(({ address }) => address)
}

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

/** A changed address of a refund waits this long. */
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

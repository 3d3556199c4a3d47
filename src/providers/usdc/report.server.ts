import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../kit/database.server.ts'
import type { Booked, ReportLine } from '../../payments/ledger/report.ts'
import type { Provider } from '../../payments/provider.ts'
import { unclear } from '../../payments/unknown.server.ts'
import type { Chain } from './chain.server.ts'
import { type Place, watchedAddresses } from './transfers.store.server.ts'
import { centsOf } from './units.rules.ts'

type Reporting = { db: Db; chain: Chain; place: Place }

const refOf = (txHash: string, logIndex: number) => `${txHash}:${logIndex}`

const IN_DAY = (moment: string, day: string) =>
  sql<SqlBool>`${sql.ref(moment)} >= (${day}::date)::timestamp AT TIME ZONE 'UTC'
    AND ${sql.ref(moment)} < (${day}::date + 1)::timestamp AT TIME ZONE 'UTC'`

export async function readReport(
  { db, chain, place }: Reporting,
  day: string,
): ReturnType<NonNullable<Provider['report']>> {
  const from = new Date(`${day}T00:00:00Z`)
  const receivers = [...new Set([...(await watchedAddresses(db, place)), ...(await addressesOf(db, place, day))])]
  const read = await chain.readBetween(receivers, from, new Date(from.getTime() + 86_400_000))
  if (read.kind === 'away') return { kind: 'unknown', isAway: true, why: read.why }
  if (read.kind === 'disagreed') return unclear(read.why)
  const lines = read.transfers.map(({ txHash, logIndex, units, at }): ReportLine => ({
    ...{ kind: 'payment', ref: refOf(txHash, logIndex), amountCents: centsOf(units), currency: 'USD', at },
  }))
  for (const { txHash, logIndex, doneAt } of await selectSent(db, place).where(IN_DAY('e.doneAt', day)).execute()) {
    const found = await chain.transfersOf(txHash!)
    if (found.kind === 'away') return { kind: 'unknown', isAway: true, why: found.why }
    if (found.kind === 'disagreed') return unclear(found.why)
    const sent = found.transfers?.find((one) => one.logIndex === logIndex)
    if (!sent) continue
    const ref = refOf(txHash!, sent.logIndex)
    lines.push({ kind: 'refund', ref, amountCents: centsOf(sent.units), currency: 'USD', at: doneAt! })
  }
  // the shop pays no network fee for a transfer that it receives
  return { kind: 'lines', lines, fees: [], hasPending: false }
}

export async function readBooks(
  { db, place }: Reporting,
  day: string,
  refs: string[],
): Promise<{ known: Booked[]; booked: Booked[] }> {
  const named = (ref: string) => sql<SqlBool>`${sql.raw(ref)} = ANY (${refs}::text[])`
  const arrived = await selectArrived(db, place).where(named("t.tx_hash || ':' || t.log_index")).execute()
  const sent = await selectSent(db, place).where(named("e.tx_hash || ':' || e.log_index")).execute()
  const arrivedThen = await selectArrived(db, place)
    .where('t.confirmedAt', 'is not', null)
    .where(IN_DAY('t.blockAt', day))
    .execute()
  const sentThen = await selectSent(db, place).where(IN_DAY('e.doneAt', day)).execute()
  return {
    known: [...arrived.map(bookedOf), ...sent.map(bookedSent)],
    booked: [...arrivedThen.map(bookedOf), ...sentThen.map(bookedSent)],
  }
}

const bookedOf = ({ txHash, logIndex, units }: { txHash: string; logIndex: number; units: number }): Booked => ({
  ...{ kind: 'payment', ref: refOf(txHash, logIndex), otherRef: null, amountCents: centsOf(units), currency: 'USD' },
})

type Sent = { txHash: string | null; logIndex: number | null; amountCents: number }
const bookedSent = ({ txHash, logIndex, amountCents }: Sent): Booked => ({
  ...{ kind: 'refund', ref: refOf(txHash!, logIndex!), otherRef: null, amountCents, currency: 'USD' },
})

const selectArrived = (db: Db, { chainId, token }: Place) =>
  db
    .selectFrom('usdcTransfers as t')
    .innerJoin('usdcAddresses as a', 'a.address', 't.address')
    .select(['t.txHash', 't.logIndex', 't.units'])
    .where('a.chainId', '=', chainId)
    .where('a.token', '=', token)
    .where('t.removedAt', 'is', null)

const selectSent = (db: Db, { chainId, token }: Place) =>
  db
    .selectFrom('usdcExceptions as e')
    .innerJoin('usdcAddresses as a', 'a.paymentId', 'e.paymentId')
    .select(['e.txHash', 'e.logIndex', 'e.amountCents', 'e.doneAt'])
    .where('a.chainId', '=', chainId)
    .where('a.token', '=', token)
    .where('e.resolution', '=', 'returned')

/** Addresses that got money on the day, also those that the scanner no longer watches. */
async function addressesOf(db: Db, place: Place, day: string): Promise<string[]> {
  const rows = await selectArrived(db, place).select('t.address').where(IN_DAY('t.blockAt', day)).execute()
  return rows.map(({ address }) => address)
}

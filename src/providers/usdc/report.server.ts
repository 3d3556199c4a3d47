import type { Db } from '../../kit/database.server.ts'
import type { Booked, ReportLine } from '../../payments/ledger/report.ts'
import type { Provider } from '../../payments/provider.ts'
import { unclear } from '../../payments/unknown.server.ts'
import type { Chain } from './chain.server.ts'
import { type Place, watchedAddresses } from './transfers.store.server.ts'
import { centsOf } from './units.rules.ts'
import { findSent, listSent } from './usdcExceptions.statements.server.ts'
import { findArrived, listArrived } from './usdcTransfers.statements.server.ts'

type Reporting = { db: Db; chain: Chain; place: Place }

const refOf = (txHash: string, logIndex: number) => `${txHash}:${logIndex}`

export async function readReport(
  { db, chain, place }: Reporting,
  day: string,
): ReturnType<NonNullable<Provider['report']>> {
  const from = new Date(`${day}T00:00:00Z`)
  // includes addresses that are not watched any more
  const paid = (await listArrived(db, { ...place, day })).map(({ address }) => address)
  const receivers = [...new Set([...(await watchedAddresses(db, place)), ...paid])]
  const read = await chain.readBetween(receivers, from, new Date(from.getTime() + 86_400_000))
  if (read.kind === 'away') return { kind: 'unknown', isAway: true, why: read.why }
  if (read.kind === 'disagreed') return unclear(read.why)
  const lines = read.transfers.map(({ txHash, logIndex, units, at }): ReportLine => ({
    ...{ kind: 'payment', ref: refOf(txHash, logIndex), amountCents: centsOf(units), currency: 'USD', at },
  }))
  for (const { txHash, logIndex, doneAt } of await listSent(db, { ...place, day })) {
    const found = await chain.transfersOf(txHash!)
    if (found.kind === 'away') return { kind: 'unknown', isAway: true, why: found.why }
    if (found.kind === 'disagreed') return unclear(found.why)
    const sent = found.transfers?.find((one) => one.logIndex === logIndex)
    if (!sent) continue
    const ref = refOf(txHash!, sent.logIndex)
    lines.push({ kind: 'refund', ref, amountCents: centsOf(sent.units), currency: 'USD', at: doneAt! })
  }
  // the sender pays the network fee
  return { kind: 'lines', lines, fees: [], hasPending: false }
}

export async function readBooks(
  { db, place }: Reporting,
  day: string,
  refs: string[],
): Promise<{ known: Booked[]; booked: Booked[] }> {
  const [arrived, sent] = [await findArrived(db, { ...place, refs }), await findSent(db, { ...place, refs })]
  const arrivedThen = (await listArrived(db, { ...place, day })).filter(({ isConfirmed }) => isConfirmed)
  const sentThen = await listSent(db, { ...place, day })
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

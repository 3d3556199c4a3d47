import type pg from 'pg'
import { isBookable } from '../../payments/fees/book.server.ts'
import { providerAccount } from '../../payments/ledger/transfers.store.server.ts'
import { type FeeLine, type ReportLine, REVERSAL } from '../../payments/ledger/report.ts'
import type { Provider } from '../../payments/provider.ts'
import { addDays, compareDay, type Difference } from './reconcile.rules.ts'
import { findBooked, findKnown } from './reconciledDays.statements.server.ts'
import { required } from '../../kit/values/required.ts'

/** `why`: the report could not be read. */
export type Reconciled = { provider: string; day: string } & (
  | { kind: 'compared'; lines: ReportLine[]; fees: FeeLine[]; hasPending: boolean; differences: Difference[] }
  | { kind: 'unread'; why: string }
  | { kind: 'none' }
)

/** Compares a provider's movements of a UTC day with the ledger. Makes up to three requests. */
export async function reconcileDay(
  pool: pg.Pool,
  provider: Pick<Provider, 'name' | 'label' | 'mode' | 'report' | 'books' | 'disputes'>,
  day: string,
  now = Date.now(),
): Promise<Reconciled> {
  const about = { provider: provider.label, day }
  if (!provider.report) return { ...about, kind: 'none' }
  // a provider with its own `books` uses the same clock
  const around = provider.books ? [] : [addDays(day, -1), addDays(day, 1)]
  const days = [day, ...around].filter((one) => Date.parse(one) <= now)
  const reports = await Promise.all(days.map((one) => required(provider.report, 'the report of the provider')(one)))
  const unread = reports.find((report) => report.kind === 'unknown')
  if (unread) return { ...about, kind: 'unread', why: unread.why }
  const [own, ...others] = reports.filter((report) => report.kind === 'lines')
  const { lines, fees, hasPending } = own ?? { lines: [], fees: [], hasPending: true }
  const refs = lines.flatMap(({ ref, captureRef }) =>
    captureRef ? [ref, captureRef, `${REVERSAL}${captureRef}`] : [ref],
  )
  const { known, booked } = await (provider.books?.(day, refs) ?? readBooks(pool, provider, day, refs))
  const differences = compareDay({ lines, around: others.flatMap((other) => other.lines), known, booked })
  const unbooked = fees.filter((fee) => !isBookable(fee))
  differences.push(...unbooked.map((fee): Difference => ({ kind: 'unbooked_fee', fee })))
  return { ...about, kind: 'compared', lines, fees, hasPending, differences }
}

async function readBooks(
  pool: pg.Pool,
  { name, mode, disputes }: Pick<Provider, 'name' | 'mode' | 'disputes'>,
  day: string,
  refs: string[],
) {
  const known = await findKnown(pool, { provider: name, refs })
  const booked = await findBooked(pool, {
    account: providerAccount({ provider: name, mode }),
    start: `${day}T00:00:00Z`,
    end: `${addDays(day, 1)}T00:00:00Z`,
    reportedAt: disputes?.reportedAt ?? 'opening',
  })
  return { known, booked }
}

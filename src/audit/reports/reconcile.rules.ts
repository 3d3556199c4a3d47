import { toDecimal } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { type Booked, type FeeLine, type ReportLine, REVERSAL } from '../../payments/ledger/report.ts'

export type Difference =
  | { kind: 'only_there'; line: ReportLine }
  | { kind: 'only_here'; booked: Booked }
  | { kind: 'other_amount'; line: ReportLine; booked: Booked }
  | { kind: 'unbooked_fee'; fee: FeeLine }

type Compared = {
  lines: ReportLine[]
  /** Report lines of the next and previous day: a provider may book a payment at midnight on another day. */
  around: ReportLine[]
  /** Rows of the shop with the references of `lines`, on any day. */
  known: Booked[]
  booked: Booked[]
}

export function compareDay({ lines, around, known, booked }: Compared): Difference[] {
  const findKnown = (line: ReportLine) => known.find((one) => isSame(one, line))
  const there = lines.flatMap((line): Difference[] => {
    const disputes = known.filter((one) => isOfDispute(one, line))
    if (disputes.some((one) => agrees(one, line))) return []
    const own = findKnown(line) ?? (line.kind === 'dispute' ? disputes[0] : undefined)
    if (!own) return [{ kind: 'only_there', line }]
    return line.kind !== 'dispute' && agrees(own, line) ? [] : [{ kind: 'other_amount', line, booked: own }]
  })
  const all = [...lines, ...around]
  const here = booked.filter(
    (one) => !all.some((line) => isSame(one, line) || (isOfDispute(one, line) && agrees(one, line))),
  )
  return [...there, ...here.map((one): Difference => ({ kind: 'only_here', booked: one }))]
}

const isSame = (booked: Booked, { kind, ref }: ReportLine) =>
  kind !== 'dispute' && booked.kind === kind && (booked.ref === ref || booked.otherRef === ref)

/** True for a report line of a dispute, or of a reversal without one. Providers may report it as a refund. */
function isOfDispute(booked: Booked, { kind, ref, captureRef }: ReportLine): boolean {
  if (kind !== 'dispute' && kind !== 'refund') return false
  if (booked.kind === 'dispute')
    return (kind === 'dispute' && booked.ref === ref) || (!!captureRef && booked.otherRef === captureRef)
  return kind === 'dispute' && booked.kind === 'refund' && !!captureRef && booked.ref === `${REVERSAL}${captureRef}`
}

/** Compares amounts. A line of a dispute may show its full amount, the buyer's part or the shop's part. */
function agrees({ kind, amountCents, lostCents, currency }: Booked, line: ReportLine): boolean {
  const lost = kind === 'dispute' && typeof lostCents === 'number' ? [lostCents, amountCents - lostCents] : []
  const isLost = line.kind !== 'refund' || kind !== 'dispute' || line.amountCents === (lostCents ?? amountCents)
  return isLost && currency === line.currency && [amountCents, ...lost].includes(line.amountCents)
}

export function describeDifference(difference: Difference): string {
  if (difference.kind === 'only_there') {
    const { kind, ref, amountCents, currency } = difference.line
    return `only at the provider: ${kind} ${ref}, ${usd(amountCents)} ${currency}`
  }
  if (difference.kind === 'unbooked_fee') {
    const { ref, amountCents, currency } = difference.fee
    return `not booked: fee ${ref}, ${toDecimal(amountCents)} ${currency}`
  }
  const { kind, ref, otherRef, amountCents } = difference.booked
  const name = `${kind} ${ref ?? otherRef ?? 'without a reference'}`
  if (difference.kind === 'only_here') return `only here: ${name}, ${usd(amountCents)}`
  const { line } = difference
  return `other amount: ${name}, ${usd(line.amountCents)} ${line.currency} there and ${usd(amountCents)} here`
}

export const addDays = (day: string, by: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10)

export const isPastDay = (text: string, now: number): boolean =>
  /^20\d\d-\d\d-\d\d$/.test(text) && isCalendarDay(text) && Date.parse(`${text}T00:00:00Z`) <= now

function isCalendarDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

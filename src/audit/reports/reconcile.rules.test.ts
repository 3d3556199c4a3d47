import { describe, expect, test } from 'vitest'
import type { Booked, ReportLine } from '../../payments/ledger/report.ts'
import { addDays, compareDay, isPastDay } from './reconcile.rules.ts'

const line = (ref: string, change: Partial<ReportLine> = {}): ReportLine => ({
  ...{ kind: 'payment', ref, amountCents: 1000, currency: 'USD', at: new Date('2026-11-22T12:00:00Z') },
  ...change,
})
const own = (ref: string | null, change: Partial<Booked> = {}): Booked => ({
  ...{ kind: 'payment', ref, otherRef: null, amountCents: 1000, currency: 'USD' },
  ...change,
})
const compare = (given: Partial<Parameters<typeof compareDay>[0]>) =>
  compareDay({ lines: [], around: [], known: [], booked: [], ...given }).map(({ kind }) => kind)

test('finds no difference in a day that matches', () => {
  const refund = line('r', { kind: 'refund', amountCents: 300 })
  const booked = [own('a'), own('r', { kind: 'refund', amountCents: 300 })]
  expect(compare({ lines: [line('a'), refund], known: booked, booked })).toEqual([])
})

test('lists movements missing on one side, and movements whose amount or currency differs', () => {
  expect(compare({ lines: [line('a')] })).toEqual(['only_there'])
  expect(compare({ booked: [own('a')] })).toEqual(['only_here'])
  expect(compare({ booked: [own(null)] })).toEqual(['only_here'])
  expect(compare({ lines: [line('a', { amountCents: 999 })], known: [own('a')] })).toEqual(['other_amount'])
  expect(compare({ lines: [line('a', { currency: 'EUR' })], known: [own('a')] })).toEqual(['other_amount'])
  // a refund and a payment with one reference are different movements
  expect(compare({ lines: [line('a', { kind: 'refund' })], known: [own('a')] })).toEqual(['only_there'])
})

test("finds a payment at midnight on the next or previous day, and a payout by the shop's id", () => {
  expect(compare({ around: [line('a')], booked: [own('a')] })).toEqual([])
  expect(compare({ lines: [line('a')], known: [own('a')], booked: [] })).toEqual([])
  const payout = own('P-1', { kind: 'payout', otherRef: 'ours' })
  expect(compare({ lines: [line('ours', { kind: 'payout' })], known: [payout], booked: [payout] })).toEqual([])
})

describe('the money of a dispute', () => {
  const dispute = (change: Partial<Booked> = {}) =>
    own('d', { kind: 'dispute', otherRef: 'capture', amountCents: 1000, ...change })
  const moved = (cents: number, change: Partial<ReportLine> = {}) =>
    line('t', { kind: 'dispute', amountCents: cents, captureRef: 'capture', ...change })

  test.each([
    ['its hold', moved(1000), dispute(), []],
    ['the part that the buyer got', moved(200), dispute({ lostCents: 200 }), []],
    ['the rest that returned', moved(800), dispute({ lostCents: 200 }), []],
    ['the part, as a refund', moved(200, { kind: 'refund' }), dispute({ lostCents: 200 }), []],
    ['a dispute by its own name', line('d', { kind: 'dispute' }), dispute(), []],
    ['another part', moved(300), dispute({ lostCents: 200 }), ['other_amount']],
    [
      'all of it when the ledger took a part',
      moved(1000, { kind: 'refund' }),
      dispute({ lostCents: 200 }),
      ['only_there'],
    ],
    ['a dispute that the shop does not know', moved(1000, { captureRef: 'x' }), dispute(), ['only_there']],
    ['another currency', moved(1000, { currency: 'EUR' }), dispute(), ['other_amount']],
  ] as const)('is compared with the report: %s', (_, shown, known, expected) => {
    expect(compare({ lines: [shown], known: [known] })).toEqual(expected)
  })

  test('is missing at the provider if no report line of these days has its capture and a known amount', () => {
    const booked = [dispute({ lostCents: 200 })]
    expect(compare({ booked })).toEqual(['only_here'])
    expect(compare({ booked, around: [moved(300)] })).toEqual(['only_here'])
    expect(compare({ booked, around: [moved(200)] })).toEqual([])
  })

  test('counts as a reversal without a dispute if the ledger has a reversal of the capture', () => {
    const reversal = own('reversal:capture', { kind: 'refund' })
    expect(compare({ lines: [moved(1000)], known: [reversal], booked: [reversal] })).toEqual([])
    expect(compare({ booked: [reversal] })).toEqual(['only_here'])
  })
})

test('accepts only calendar days that are not in the future', () => {
  expect([addDays('2026-03-01', -1), addDays('2026-12-31', 1)]).toEqual(['2026-02-28', '2027-01-01'])
  const now = Date.parse('2026-11-23T04:00:00Z')
  expect(
    ['2026-11-23', '2026-11-24', '2026-02-30', '2026-13-01', '23.11.2026', ''].map((day) => isPastDay(day, now)),
  ).toEqual([...[true, false, false, false, false, false]])
})

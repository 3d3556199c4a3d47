import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  DEFAULT_WEIGHTS,
  type Decision,
  type Facts,
  isClearedByConfirming,
  judge,
  type RuleName,
  RULES,
} from './score.rules.ts'

const HONEST: Facts = {
  dayCents: 25_00,
  dayCashCents: 25_00,
  copies: 1,
  accountAgeHours: 0,
  ordersHour: 1,
  unpaidDay: 0,
  declinesTenMinutes: 0,
  declinesDay: 0,
  instrumentsWeek: 0,
  networkAccounts: 0,
  instrumentAccounts: 0,
  rush: 0,
  isMailDisposable: false,
  visitorCountry: null,
  payerCountry: null,
  isPayerVerified: null,
  hints: 0,
  settledOld: 0,
  settledOldCents: 0,
  lostDisputes: 0,
  isConfirmed: false,
}
const OLD = { accountAgeHours: 24 * 400 }
const known = (cents: number) => ({ ...OLD, settledOld: 3, settledOldCents: cents })
const cash = (cents: number) => ({ dayCents: cents, dayCashCents: cents })
const judged = (facts: Partial<Facts>) => judge({ ...HONEST, ...facts }, DEFAULT_WEIGHTS)

test.each<[string, Partial<Facts>, number, Decision]>([
  ['a first $25 gift card of a new account', {}, 15, 'allow'],
  ['the same of a week', { accountAgeHours: 24 }, 10, 'allow'],
  ['the same of a month', { accountAgeHours: 24 * 7 }, 5, 'allow'],
  ['the same of an old account', OLD, 0, 'allow'],
  ['$250 of cards', { ...OLD, ...cash(250_00) }, 0, 'allow'],
  ['$500 of books, which are not cash', { ...OLD, dayCents: 500_00, dayCashCents: 0 }, 0, 'allow'],
  ['$1,000 of books', { ...OLD, dayCents: 1000_00, dayCashCents: 0 }, 15, 'allow'],
  ['$1,000 of cards weigh double', { ...OLD, ...cash(1000_00) }, 45, 'step_up'],
  ['$500 of cards in a new account', cash(500_00), 30, 'allow'],
  ['$800 of cards in a new account', cash(800_00), 48, 'step_up'],
  ['the same, confirmed', { ...cash(800_00), isConfirmed: true }, 38, 'allow'],
  ['$1,000 of cards in a new account', cash(1000_00), 60, 'hold'],
  ['the same, confirmed', { ...cash(1000_00), isConfirmed: true }, 50, 'allow'],
  ['$2,000 of cards in a new account', cash(2000_00), 75, 'hold'],
  ['the same, confirmed', { ...cash(2000_00), isConfirmed: true }, 65, 'hold'],
  [
    '$9,999,999 of software weighs no more than the cap',
    { ...OLD, dayCents: 999_999_900, dayCashCents: 0 },
    60,
    'hold',
  ],
  ['10 copies', { ...OLD, copies: 10 }, 0, 'allow'],
  ['35 copies', { ...OLD, copies: 35 }, 40, 'step_up'],
  ['8 orders in an hour', { ...OLD, ordersHour: 8 }, 0, 'allow'],
  ['20 orders in an hour', { ...OLD, ordersHour: 20 }, 30, 'allow'],
  ['4 orders that came to nothing', { ...OLD, unpaidDay: 4 }, 0, 'allow'],
  ['12 orders that came to nothing', { ...OLD, unpaidDay: 12 }, 40, 'step_up'],
  ['2 new accounts on the network', { networkAccounts: 2 }, 15, 'allow'],
  ['6 new accounts on the network', { networkAccounts: 6 }, 55, 'step_up'],
  ['9 new accounts on the network', { networkAccounts: 9 }, 70, 'hold'],
  ['the same around an old account', { ...OLD, networkAccounts: 200 }, 55, 'step_up'],
  ['9 new accounts that want books', { networkAccounts: 9, dayCashCents: 0 }, 50, 'step_up'],
  ['an instrument of a family', { instrumentAccounts: 1 }, 15, 'allow'],
  ['an instrument of 3 others', { instrumentAccounts: 3 }, 35, 'allow'],
  ['an instrument of 5 others', { instrumentAccounts: 5 }, 55, 'step_up'],
  ['an instrument of 7 others', { instrumentAccounts: 7 }, 75, 'hold'],
  ['two declines', { declinesDay: 2 }, 15, 'allow'],
  ['6 declines in a day', { declinesDay: 6 }, 47, 'step_up'],
  ['3 instruments in a week', { instrumentsWeek: 3 }, 15, 'allow'],
  ['4 instruments in a week', { ...OLD, instrumentsWeek: 4 }, 90, 'refuse'],
  ['9 declines in ten minutes', { ...OLD, declinesTenMinutes: 9 }, 0, 'allow'],
  ['10 declines in ten minutes', { ...OLD, declinesTenMinutes: 10 }, 90, 'refuse'],
  ['30 new accounts at one product', { ...OLD, rush: 30 }, 10, 'allow'],
  ['a disposable mailbox', { isMailDisposable: true }, 30, 'allow'],
  ['a payer from another country', { visitorCountry: 'NG', payerCountry: 'US' }, 30, 'allow'],
  ['a payer from the same country', { visitorCountry: 'US', payerCountry: 'US' }, 15, 'allow'],
  ['an unknown country', { visitorCountry: null, payerCountry: 'US' }, 15, 'allow'],
  ['a payer whom the provider has not verified', { isPayerVerified: false }, 25, 'allow'],
  ['all that a browser can report', { ...OLD, hints: 100 }, 5, 'allow'],
  ['$500 of cards for a known customer of $1,000', { ...known(1000_00), ...cash(500_00) }, 0, 'allow'],
  ['$1,000 of cards for a known customer of $1,000', { ...known(1000_00), ...cash(1000_00) }, 30, 'allow'],
  ['$1,250 of cards for a known customer of $9,000', { ...known(9000_00), ...cash(1250_00) }, 0, 'allow'],
  ['$5,000 of cards for a known customer of $9,000', { ...known(9000_00), ...cash(5000_00) }, 60, 'hold'],
  ['the same after three purchases of a cent', { ...known(3), ...cash(5000_00) }, 60, 'hold'],
  ['a known customer among 400 accounts', { ...known(1000_00), networkAccounts: 400 }, 0, 'allow'],
  [
    'the same, unverified, abroad, with $5,000,000',
    { ...known(9000_00), ...cash(5_000_000_00), isPayerVerified: false, visitorCountry: 'US', payerCountry: 'NG' },
    85,
    'hold',
  ],
  ['20 orders in an hour by a known customer', { ...known(100_00), ordersHour: 20 }, 0, 'allow'],
  ['the same after three purchases of $99', { ...known(99_99), ordersHour: 20, unpaidDay: 12 }, 70, 'hold'],
  ['a known customer with 4 instruments', { ...known(9000_00), instrumentsWeek: 4 }, 90, 'refuse'],
  ['two old purchases are not enough', { ...known(9000_00), ordersHour: 20, unpaidDay: 12, settledOld: 2 }, 70, 'hold'],
])('decides about %s', (_, facts, score, decision) => {
  expect(judged(facts)).toMatchObject({ score, decision })
})

test('lists reasons with their points, largest first', () => {
  expect(judged(cash(1500_00)).reasons).toEqual([
    { rule: 'amount', points: 60 },
    { rule: 'newAccount', points: 15 },
  ])
})

test('lets the buyer alone clear only a nearly acceptable purchase', () => {
  expect(isClearedByConfirming({ ...HONEST, ...cash(1000_00) }, DEFAULT_WEIGHTS)).toBe(true)
  expect(isClearedByConfirming({ ...HONEST, ...cash(2000_00) }, DEFAULT_WEIGHTS)).toBe(false)
})

const SIMPLE_HINTS = [20, 60, 100]

test.each<[string, Partial<Facts>, Decision]>([
  ['nothing else, old account', OLD, 'allow'],
  ['nothing else, new account', {}, 'allow'],
  ['five honest new members on the network', { ...OLD, networkAccounts: 5 }, 'allow'],
  ['six of them', { ...OLD, networkAccounts: 6 }, 'step_up'],
  ['a whole dormitory', { ...OLD, networkAccounts: 500 }, 'step_up'],
  ['a dormitory, confirmed', { ...OLD, networkAccounts: 500, isConfirmed: true }, 'allow'],
  ['a dormitory that reads books', { ...OLD, networkAccounts: 500, dayCashCents: 0 }, 'step_up'],
])('never holds a buyer because of hints: %s', (_, facts, decision) => {
  for (const hints of SIMPLE_HINTS) expect(judged({ ...facts, hints }).decision).toBe(decision)
})

test.each([1, 10, 100])('allows a purchase with hints alone, even with a weight of %i', (hints) => {
  const { score, decision } = judge({ ...HONEST, ...OLD, hints: 100 }, { ...DEFAULT_WEIGHTS, hints })
  expect([score, decision]).toEqual([5, 'allow'])
})

const count = (max: number) => fc.integer({ min: 0, max })
const country = fc.constantFrom(null, 'US', 'NG', 'DE')
const anyFacts: fc.Arbitrary<Facts> = fc.record({
  dayCents: count(1_000_000),
  dayCashCents: count(1_000_000),
  copies: count(200),
  accountAgeHours: count(20_000),
  ordersHour: count(60),
  unpaidDay: count(60),
  declinesTenMinutes: count(30),
  declinesDay: count(60),
  instrumentsWeek: count(12),
  networkAccounts: count(60),
  instrumentAccounts: count(20),
  rush: count(60),
  isMailDisposable: fc.boolean(),
  visitorCountry: country,
  payerCountry: country,
  isPayerVerified: fc.constantFrom(null, true, false),
  hints: count(100),
  settledOld: count(3),
  settledOldCents: count(1_000_000),
  lostDisputes: count(3),
  isConfirmed: fc.boolean(),
})
const BAD_COUNTS = [
  'dayCents',
  'dayCashCents',
  'copies',
  'ordersHour',
  'unpaidDay',
  'declinesTenMinutes',
  'declinesDay',
  'instrumentsWeek',
  'networkAccounts',
  'instrumentAccounts',
  'rush',
  'hints',
] as const
const anyWeights = fc
  .record(
    Object.fromEntries(Object.keys(RULES).map((rule) => [rule, count(100)])) as Record<RuleName, fc.Arbitrary<number>>,
  )
  .map((weights) => ({ ...DEFAULT_WEIGHTS, ...weights }))

test('never lowers the score for a worse fact, with any weights', () => {
  fc.assert(
    fc.property(anyFacts, anyWeights, fc.constantFrom(...BAD_COUNTS), count(1000), (facts, weights, fact, more) => {
      const worse = { ...facts, [fact]: facts[fact] + more }
      expect(judge(worse, weights).score).toBeGreaterThanOrEqual(judge(facts, weights).score)
    }),
  )
})

test('never lowers the score for a younger account, a disposable mailbox or an unverified payer', () => {
  fc.assert(
    fc.property(anyFacts, anyWeights, (facts, weights) => {
      const { score } = judge(facts, weights)
      for (const worse of [
        { accountAgeHours: Math.floor(facts.accountAgeHours / 2) },
        { isMailDisposable: true },
        { isPayerVerified: false },
        { visitorCountry: 'US', payerCountry: 'NG' },
      ])
        expect(judge({ ...facts, ...worse }, weights).score).toBeGreaterThanOrEqual(score)
    }),
  )
})

test('holds and refuses without hints from the browser', () => {
  const fewFacts = fc.record({
    networkAccounts: count(8),
    copies: count(20),
    unpaidDay: count(8),
    isConfirmed: fc.boolean(),
  })
  fc.assert(
    fc.property(fewFacts, (few) => {
      const facts = { ...HONEST, ...few }
      const { score } = judge(facts, DEFAULT_WEIGHTS)
      // one point more would hold or refuse it
      for (const at of [
        { holdAt: score + 1, refuseAt: 101 },
        { holdAt: 101, refuseAt: score + 1 },
      ])
        expect(['allow', 'step_up']).toContain(judge({ ...facts, hints: 100 }, { ...DEFAULT_WEIGHTS, ...at }).decision)
    }),
  )
})

test('changes the score by less than one step for hints alone', () => {
  fc.assert(
    fc.property(anyFacts, count(100), (facts, hints) => {
      const without = judge({ ...facts, hints: 0 }, DEFAULT_WEIGHTS)
      const withHints = judge({ ...facts, hints }, DEFAULT_WEIGHTS)
      expect(withHints.score - without.score).toBeLessThanOrEqual(5)
      if (without.score < DEFAULT_WEIGHTS.stepUpAt - 5) expect(withHints.decision).toBe('allow')
    }),
  )
})

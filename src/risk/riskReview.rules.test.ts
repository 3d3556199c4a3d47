import { expect, test } from 'vitest'
import { describeFacts, problemsOf, RULE_LABELS, RULE_STEPS, timeLeft } from './riskReview.rules.ts'
import { DEFAULT_WEIGHTS, RULE_NAMES, RULES } from './score.rules.ts'

test('formats money, age, countries and unknown facts as text', () => {
  const facts = {
    dayCents: 200_050,
    accountAgeHours: 1,
    isMailDisposable: false,
    visitorCountry: null,
    payerCountry: 'US',
    settledOld: 3,
  }
  expect(describeFacts(facts)).toEqual([
    ['Bought in 24 hours', '$2,000.50'],
    ['Age of the account', '1 hour(s)'],
    ['Temporary mailbox', 'no'],
    ['Buyer’s country', 'unknown'],
    ['Payer’s country', 'US'],
    ['Purchases older than 60 days', '3 or more'],
  ])
  expect(describeFacts({ accountAgeHours: 24 * 400 })).toEqual([['Age of the account', '400 days']])
})

test('rejects a threshold lower than the one before it', () => {
  const weights = { ...DEFAULT_WEIGHTS, stepUpAt: 50, holdAt: 40, refuseAt: 40 }
  expect(problemsOf(weights)).toEqual({ holdAt: '“Hold from” can’t be lower than “Ask to confirm from” (50).' })
  expect(problemsOf({ ...weights, holdAt: 50, refuseAt: 50 })).toEqual({})
})

test('describes every rule', () => {
  for (const rule of RULE_NAMES) expect(RULE_LABELS[rule] && RULE_STEPS[rule]).toBeTruthy()
})

test('shows staff the maximum points of each rule', () => {
  for (const rule of RULE_NAMES) {
    const said = /at most (\d+)/.exec(RULE_STEPS[rule])?.[1]
    // the other rules count once, so their points equal their weight
    if (said) expect([rule, Number(said)]).toEqual([rule, RULES[rule].cap])
    else expect(['newAccount', 'manyInstruments', 'declineBurst']).toContain(rule)
  }
})

test.each([
  [-5, '0 min'],
  [59 * 60_000, '59 min'],
  [24 * 3_600_000, '24 h 0 min'],
])('formats %i ms as %s', (ms, text) => {
  expect(timeLeft(ms)).toBe(text)
})

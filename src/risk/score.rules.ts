/** Money is in cents. Counts are of the account unless the comment says otherwise. `null`: unknown. */
export type Facts = {
  /** This order and the purchases of the 24 hours before it. */
  dayCents: number
  /** The cash-like part of `dayCents`: goods of the categories that staff flagged. */
  dayCashCents: number
  /** Copies of one cash-like product in the same 24 hours. */
  copies: number
  accountAgeHours: number
  ordersHour: number
  unpaidDay: number
  declinesTenMinutes: number
  declinesDay: number
  /** Different instruments among the declines of seven days. */
  instrumentsWeek: number
  /** Other accounts, younger than a week, that paid from this network in 24 hours. */
  networkAccounts: number
  /** Other accounts that paid with this instrument in 30 days. */
  instrumentAccounts: number
  /** Other new accounts that ordered the same cash-like product within the hour. */
  rush: number
  /** Disputes of the account that the shop lost within a year. */
  lostDisputes: number
  isMailDisposable: boolean
  visitorCountry: string | null
  payerCountry: string | null
  isPayerVerified: boolean | null
  /** The browser's score, 0 to 100. */
  hints: number
  /** Purchases settled more than 60 days ago, at most 3 and without free ones, and the money of the first 50. */
  settledOld: number
  settledOldCents: number
  isConfirmed: boolean
}

type Rule = {
  points: number
  cap: number
  /** Skipped for a known customer. Rules on money, instruments and payers always count. */
  isForgiven?: true
  steps: (facts: Facts) => number
}

const above = (value: number, free: number) => Math.max(0, value - free)
const FREE_CENTS = 500_00
const MAX_FREE_CENTS = 2500_00
const STEP_CENTS = 100_00

export const MAX_INSTRUMENTS = 4
export const MAX_DECLINES = 10

const rules = {
  // Cash-like goods weigh double. A known customer may spend as much a day as in all old purchases, up to $2,500.
  amount: {
    points: 3,
    cap: 60,
    steps: (facts) => Math.floor(above(facts.dayCents + facts.dayCashCents, freeCents(facts)) / STEP_CENTS),
  },
  newAccount: {
    points: 5,
    cap: 30,
    isForgiven: true,
    steps: ({ accountAgeHours: hours }) => (hours < 24 ? 3 : hours < 7 * 24 ? 2 : hours < 30 * 24 ? 1 : 0),
  },
  copies: { points: 2, cap: 40, steps: ({ copies }) => above(copies, 10) },
  pace: { points: 4, cap: 30, isForgiven: true, steps: ({ ordersHour }) => above(ordersHour, 8) },
  unpaid: { points: 6, cap: 40, isForgiven: true, steps: ({ unpaidDay }) => above(unpaidDay, 4) },
  network: {
    points: 10,
    // residents of one building share a network, so this rule alone only asks for a confirmation
    cap: 55,
    isForgiven: true,
    // shared networks are common, so without cash-like goods they count half
    steps: ({ networkAccounts, dayCashCents }) => above(networkAccounts, 2) * (dayCashCents > 0 ? 1 : 0.5),
  },
  instrument: { points: 10, cap: 60, steps: ({ instrumentAccounts }) => above(instrumentAccounts, 1) },
  declines: { points: 8, cap: 40, isForgiven: true, steps: ({ declinesDay }) => above(declinesDay, 2) },
  manyInstruments: {
    points: 90,
    cap: 100,
    steps: ({ instrumentsWeek }) => Number(instrumentsWeek >= MAX_INSTRUMENTS),
  },
  declineBurst: {
    points: 90,
    cap: 100,
    steps: ({ declinesTenMinutes }) => Number(declinesTenMinutes >= MAX_DECLINES),
  },
  rush: { points: 1, cap: 10, isForgiven: true, steps: ({ rush }) => above(rush, 10) },
  disposableMail: {
    points: 15,
    cap: 30,
    isForgiven: true,
    steps: ({ isMailDisposable }) => Number(isMailDisposable),
  },
  foreign: {
    points: 15,
    cap: 30,
    steps: ({ visitorCountry: from, payerCountry: payer }) => Number(from !== null && payer !== null && from !== payer),
  },
  unverifiedPayer: { points: 10, cap: 30, steps: ({ isPayerVerified }) => Number(isPayerVerified === false) },
  disputes: { points: 30, cap: 60, steps: ({ lostDisputes }) => lostDisputes },
  // anyone can forge a browser hint, so it may cause a confirmation but never a hold
  hints: { points: 1, cap: 5, isForgiven: true, steps: ({ hints }) => hints / 20 },
} satisfies Record<string, Rule>

export type RuleName = keyof typeof rules
export const RULES: Record<RuleName, Rule> = rules
export const RULE_NAMES = Object.keys(rules) as RuleName[]

export type Weights = Record<RuleName, number> & { stepUpAt: number; holdAt: number; refuseAt: number }

export const DEFAULT_WEIGHTS: Weights = {
  ...(Object.fromEntries(RULE_NAMES.map((rule) => [rule, RULES[rule].points])) as Record<RuleName, number>),
  stepUpAt: 40,
  holdAt: 60,
  refuseAt: 90,
}

export const DECISIONS = ['allow', 'step_up', 'hold', 'refuse'] as const
export type Decision = (typeof DECISIONS)[number]
export type Reason = { rule: RuleName; points: number }
export type Judgement = { score: number; reasons: Reason[]; decision: Decision }

const CONFIRMED_POINTS = 10

const isKnown = ({ settledOld, settledOldCents }: Facts) => settledOld >= 3 && settledOldCents >= 100_00

function freeCents(facts: Facts): number {
  return isKnown(facts) ? Math.min(MAX_FREE_CENTS, Math.max(FREE_CENTS, facts.settledOldCents)) : FREE_CENTS
}

export function judge(facts: Facts, weights: Weights): Judgement {
  const asked = RULE_NAMES.filter((rule) => !RULES[rule].isForgiven || !isKnown(facts))
  const reasons = asked
    .map((rule) => ({ rule, points: Math.min(RULES[rule].cap, Math.round(weights[rule] * RULES[rule].steps(facts))) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
  const sum = reasons.reduce((points, reason) => points + reason.points, 0)
  const hinted = reasons.find(({ rule }) => rule === 'hints')?.points ?? 0
  const scoreOf = (points: number) => Math.min(100, Math.max(0, points - (facts.isConfirmed ? CONFIRMED_POINTS : 0)))
  const score = scoreOf(sum)
  return { score, reasons, decision: decide({ score, ownScore: scoreOf(sum - hinted) }, facts, weights) }
}

/** A hold or refusal needs the shop's own facts (`ownScore`). Browser hints count for a confirmation only. */
function decide(
  { score, ownScore }: { score: number; ownScore: number },
  { isConfirmed }: Facts,
  { stepUpAt, holdAt, refuseAt }: Weights,
): Decision {
  if (ownScore >= refuseAt) return 'refuse'
  if (ownScore >= holdAt) return 'hold'
  return score >= stepUpAt && !isConfirmed ? 'step_up' : 'allow'
}

export const isClearedByConfirming = (facts: Facts, weights: Weights) =>
  judge({ ...facts, isConfirmed: true }, weights).decision === 'allow'

import { usd } from '../localisation/usd.rules.ts'
import type { Decision, Facts, RuleName, Weights } from './score.rules.ts'

// Scores in the words that staff read.

export const RULE_LABELS: Record<RuleName, string> = {
  amount: 'Money in 24 hours above $500',
  newAccount: 'New account',
  copies: 'Copies of one cash-like product',
  pace: 'Orders within an hour',
  unpaid: 'Orders that came to nothing',
  network: 'New accounts on one network',
  instrument: 'Accounts on one instrument',
  declines: 'Declined payments',
  manyInstruments: '4 declined instruments in 7 days',
  declineBurst: '10 declines in 10 minutes',
  rush: 'New accounts at one product',
  disposableMail: 'Temporary mailbox',
  foreign: 'Payer in another country',
  unverifiedPayer: 'Payer not verified',
  hints: 'Hints of the browser',
}

/** One step of each rule. */
export const RULE_STEPS: Record<RuleName, string> = {
  amount: 'for each $100, at most 60; gift cards, crypto and prepaid cards count twice',
  newAccount: 'three times on the first day, twice in the first week, once in the first month',
  copies: 'for each copy above 10, at most 40',
  pace: 'for each order above 8, at most 30',
  unpaid: 'for each order above 4 in a day, at most 40',
  network: 'for each other account above 2 in a day, at most 55; half without cash-like goods',
  instrument: 'for each other account above 1 in 30 days, at most 60',
  declines: 'for each decline above 2 in a day, at most 40',
  manyInstruments: 'once; counts against known customers too',
  declineBurst: 'once; counts against known customers too',
  rush: 'for each account above 10 within the hour, at most 10',
  disposableMail: 'once, at most 30',
  foreign: 'once, at most 30',
  unverifiedPayer: 'once, at most 30',
  hints: 'for each 20 of the browser’s score, at most 5; never what tips a purchase into a hold',
}

export const THRESHOLDS: [keyof Pick<Weights, 'stepUpAt' | 'holdAt' | 'refuseAt'>, string][] = [
  ['stepUpAt', 'Ask to confirm from'],
  ['holdAt', 'Hold from'],
  ['refuseAt', 'Refuse from'],
]

export const DECISION_LABELS: Record<Decision, string> = {
  allow: 'Allowed',
  step_up: 'Asked to confirm',
  hold: 'Held',
  refuse: 'Refused',
}

const FACT_LABELS: Record<keyof Facts, string> = {
  dayCents: 'Bought in 24 hours',
  dayCashCents: 'Of that as good as cash',
  copies: 'Copies of one cash-like product',
  accountAgeHours: 'Age of the account',
  ordersHour: 'Orders within the hour',
  unpaidDay: 'Orders that came to nothing today',
  declinesTenMinutes: 'Declines in 10 minutes',
  declinesDay: 'Declines in 24 hours',
  instrumentsWeek: 'Declined instruments in 7 days',
  networkAccounts: 'Other new accounts on the network',
  instrumentAccounts: 'Other accounts on the instrument',
  rush: 'Other new accounts at the product',
  isMailDisposable: 'Temporary mailbox',
  visitorCountry: 'Buyer’s country',
  payerCountry: 'Payer’s country',
  isPayerVerified: 'Payer verified by the provider',
  hints: 'Browser’s own score',
  settledOld: 'Purchases older than 60 days',
  isConfirmed: 'Confirmed within the hour',
}

type Value = number | string | boolean | null

const textOf = (name: string, value: Value): string => {
  if (value === null) return 'unknown'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number' && /Cents$/.test(name)) return usd(value)
  if (name === 'accountAgeHours') return describeAge(Number(value))
  return name === 'settledOld' && value === 3 ? '3 or more' : String(value)
}

const describeAge = (hours: number) => (hours < 48 ? `${hours} hour(s)` : `${Math.floor(hours / 24)} days`)

/** Each fact as a label and its value, in a fixed order. */
export const describeFacts = (facts: Record<string, Value>): [string, string][] =>
  Object.entries(FACT_LABELS).flatMap(([name, label]) =>
    name in facts ? [[label, textOf(name, facts[name]!)] as [string, string]] : [],
  )

export const RESOLVED: Record<'confirmed' | 'approved' | 'refused' | 'expired', string> = {
  confirmed: 'Released: the buyer confirmed',
  approved: 'Released by staff',
  refused: 'Refused by staff, money given back',
  expired: 'Nobody looked in time, money given back',
}

/** '3 h 10 min' from milliseconds; '0 min' when negative. */
export function timeLeft(ms: number): string {
  const minutes = Math.max(0, Math.ceil(ms / 60_000))
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

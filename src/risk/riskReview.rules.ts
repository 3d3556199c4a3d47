import { usd } from '../localisation/usd.rules.ts'
import texts from './riskReview.json' with { type: 'json' }
import type { Decision, Facts, RuleName, Weights } from './score.rules.ts'

export const RULE_LABELS: Record<RuleName, string> = texts.rules
export const RULE_STEPS: Record<RuleName, string> = texts.steps
export const DECISION_LABELS: Record<Decision, string> = texts.decisions
export const RESOLVED = texts.resolved
const FACT_LABELS: Record<keyof Facts, string> = texts.facts

export const THRESHOLDS: [keyof Pick<Weights, 'stepUpAt' | 'holdAt' | 'refuseAt'>, string][] = [
  ['stepUpAt', 'Ask to confirm from'],
  ['holdAt', 'Hold from'],
  ['refuseAt', 'Refuse from'],
]

export function problemsOf(weights: Weights): Partial<Record<keyof Weights, string>> {
  const low = THRESHOLDS.slice(1).flatMap(([name, label], i) => {
    const [before, labelBefore] = THRESHOLDS[i]!
    const problem = `“${label}” can’t be lower than “${labelBefore}” (${weights[before]}).`
    return weights[name] < weights[before] ? [[name, problem] as const] : []
  })
  return Object.fromEntries(low)
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

export const describeFacts = (facts: Record<string, Value>): [string, string][] =>
  Object.entries(FACT_LABELS).flatMap(([name, label]) =>
    name in facts ? [[label, textOf(name, facts[name]!)] as [string, string]] : [],
  )

/** Formats milliseconds as '3 h 10 min', and negative ones as '0 min'. */
export function timeLeft(ms: number): string {
  const minutes = Math.max(0, Math.ceil(ms / 60_000))
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

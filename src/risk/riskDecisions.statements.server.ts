// Made by `npm run tables` from riskDecisions.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('riskDecisions.sql', import.meta.url))

export type ReadFactsInput = {
  network: string | null
  country: string | null
  isHere: boolean
  orderId: string
  userId: string
  instrument: string | null
}
export type ReadFactsRow = {
  email: string
  accountAgeHours: number
  dayCents: number
  dayCashCents: number
  copies: number
  productId: string | null
  ordersHour: number
  unpaidDay: number
  settledOld: number
  settledOldCents: number
  lostDisputes: number
  declinesTenMinutes: number
  declinesDay: number
  instrumentsWeek: number
  network: string | null
  country: string | null
  networkAccounts: number
  instrumentAccounts: number
  rush: number
  hints: number
  isConfirmed: boolean
  isHeld: boolean
  newest: { version: number; weights: unknown } | null
}
// One statement with bounded subqueries. `isHere`: the buyer is at `network`; otherwise uses the last decision. Only
// paid orders of others count: otherwise a stranger could raise the score of a network.
export const readFacts = find<ReadFactsInput, ReadFactsRow>('readFacts')

export type InsertDecisionInput = {
  orderId: string
  userId: string
  stage: string
  decision: string
  score: number
  reasons: unknown
  facts: unknown
  weightsVersion: number
  network: string | null
  instrument: string | null
  country: string | null
  rushProductId: string | null
}
export type InsertDecisionRow = { id: string }
export const insertDecision = find<InsertDecisionInput, InsertDecisionRow>('insertDecision')

export type FindLastNetworkInput = { orderId: string }
export type FindLastNetworkRow = { network: string | null }
// The network of the last decision.
export const findLastNetwork = find<FindLastNetworkInput, FindLastNetworkRow>('findLastNetwork')

export type ListFactsInput = { most: number }
export type ListFactsRow = { orderId: string; facts: import('./score.rules.ts').Facts }
// The stored facts of recent orders.
export const listFacts = find<ListFactsInput, ListFactsRow>('listFacts')

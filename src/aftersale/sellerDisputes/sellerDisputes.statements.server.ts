// Made by `npm run tables` from sellerDisputes.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('sellerDisputes.sql', import.meta.url))

export type FindSaleDisputeInput = { id: string; sellerId: string }
export type FindSaleDisputeRow = {
  id: string
  orderId: string
  reason: string
  state: 'needs_evidence' | 'under_review' | 'won' | 'lost'
  stage: 'warning' | 'inquiry' | 'claim'
  openedAt: Date
  evidenceDueAt: Date | null
  amountCents: number
  isAnswered: boolean
  frozenCents: number
}
// The open dispute of a sale. A bank that only inquires freezes nothing.
export const findSaleDispute = find<FindSaleDisputeInput, FindSaleDisputeRow>('findSaleDispute')

export type ListDeliveriesInput = { orderId: string; sellerId: string; limit: number }
export type ListDeliveriesRow = {
  key: string
  title: string
  kind: 'access' | import('../../delivery/uses.rules.ts').Use
  at: string
}
// The first deliveries of a seller's goods in an order, without the buyer's network address.
export const listDeliveries = find<ListDeliveriesInput, ListDeliveriesRow>('listDeliveries')

export type ListFactsInput = { disputeId: string; sellerId: string }
export type ListFactsRow = {
  id: string
  text: string
  deliveries: import('../disputes/fact.contract.ts').CitedDelivery[]
  addedAt: string
}
export const listFacts = find<ListFactsInput, ListFactsRow>('listFacts')

export type ListAllFactsInput = { disputeId: string }
export type ListAllFactsRow = {
  id: string
  text: string
  deliveries: import('../disputes/fact.contract.ts').CitedDelivery[]
  addedAt: string
  seller: string
}
// What all sellers added, for staff.
export const listAllFacts = find<ListAllFactsInput, ListAllFactsRow>('listAllFacts')

export type AddFactInput = { disputeId: string; sellerId: string; text: string; deliveries: string }
export type AddFactRow = Record<string, never>
export const addFact = find<AddFactInput, AddFactRow>('addFact')

export type ForgetFactsInput = { userId: string }
export type ForgetFactsRow = Record<string, never>
// The facts of a member, and those about a purchase of the member whose dispute has ended.
export const forgetFacts = find<ForgetFactsInput, ForgetFactsRow>('forgetFacts')

export type DeleteOldFactsInput = { days: number }
export type DeleteOldFactsRow = Record<string, never>
// Facts of disputes that ended long ago, or whose buyer was erased before the end.
export const deleteOldFacts = find<DeleteOldFactsInput, DeleteOldFactsRow>('deleteOldFacts')

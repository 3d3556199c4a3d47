import type { CodeParts } from '../codes/codeParts.rules.ts'

/** What the shop asks of a supplier. `requestId` is the line's id: a repeat answers the same codes. */
export type SupplyRequest = { requestId: string; sku: string; quantity: number }

/** A supplier's answer in the shop's words. `refused` is final; after `waiting` and `unknown` the shop asks again. */
export type Supplied =
  | { kind: 'codes'; codes: CodeParts[] }
  | { kind: 'waiting' }
  | { kind: 'refused'; why: string }
  | { kind: 'unknown'; why: string }

/** Who makes codes on demand. It decides nothing, and never throws. */
export type Supplier = { request: (asked: SupplyRequest) => Promise<Supplied> }

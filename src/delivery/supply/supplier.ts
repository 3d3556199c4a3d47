import type { CodeParts } from '../codes/codeParts.rules.ts'

/** A request to a supplier. `requestId` is the line's id: a repeat returns the same codes. */
export type SupplyRequest = { requestId: string; sku: string; quantity: number }

/** A supplier's result. `refused` is final; the shop retries after `waiting` and `unknown`. */
export type Supplied =
  | { kind: 'codes'; codes: CodeParts[] }
  | { kind: 'waiting' }
  | { kind: 'refused'; why: string }
  | { kind: 'unknown'; why: string }

/** Creates codes on demand. Never throws. */
export type Supplier = { request: (asked: SupplyRequest) => Promise<Supplied> }

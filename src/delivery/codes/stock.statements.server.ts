// Made by `npm run tables` from stock.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('stock.sql', import.meta.url))

export type FindSamplesInput = { marks: Buffer[] }
export type FindSamplesRow = { ciphertext: Buffer; sealedParts: Buffer | null }
// Two stored codes: the newest one, and one without any of these marks.
export const findSamples = find<FindSamplesInput, FindSamplesRow>('findSamples')

export type CountStatesInput = { productId: string }
export type CountStatesRow = { state: import('./stock.contract.ts').CodeState; count: number }
export const countStates = find<CountStatesInput, CountStatesRow>('countStates')

export type CountReturnableInput = { productId: string; marks: Buffer[] }
export type CountReturnableRow = { count: number }
export const countReturnable = find<CountReturnableInput, CountReturnableRow>('countReturnable')

export type ListCodesInput = {
  marks: Buffer[]
  productId: string
  after: number | null
  wantedState: string | null
  limit: number
}
export type ListCodesRow = {
  id: string
  position: number
  state: import('./stock.contract.ts').CodeState
  canReturn: boolean
  ciphertext: Buffer
  sealedParts: Buffer | null
  createdAt: Date
  expiresAt: Date | null
}
// Newest code first.
export const listCodes = find<ListCodesInput, ListCodesRow>('listCodes')

export type VoidSomeInput = { productId: string; codeId: string | null; limit: number }
export type VoidSomeRow = { productId: string }
export const voidSome = find<VoidSomeInput, VoidSomeRow>('voidSome')

export type VoidUnreadableInput = { marks: Buffer[]; limit: number }
export type VoidUnreadableRow = { productId: string }
// Codes of format 1 have no mark, and are not withdrawn.
export const voidUnreadable = find<VoidUnreadableInput, VoidUnreadableRow>('voidUnreadable')

export type ExpireSomeInput = { limit: number }
export type ExpireSomeRow = { productId: string }
export const expireSome = find<ExpireSomeInput, ExpireSomeRow>('expireSome')

export type ReturnSomeInput = { productId: string; codeId: string | null; marks: Buffer[]; limit: number }
export type ReturnSomeRow = { productId: string }
export const returnSome = find<ReturnSomeInput, ReturnSomeRow>('returnSome')

export type FindStockedIdsInput = { productId: string }
export type FindStockedIdsRow = { id: string }
// The products whose codes are the stock of a product.
export const findStockedIds = find<FindStockedIdsInput, FindStockedIdsRow>('findStockedIds')

export type LockStockedInput = { productId: string }
export type LockStockedRow = Record<string, never>
// Locks a product, its bundles and the product of a variant, in the lock order of a checkout and of an edit.
export const lockStocked = find<LockStockedInput, LockStockedRow>('lockStocked')

export type ReadStandingInput = { productId: string }
export type ReadStandingRow = { wasOut: boolean; isOut: boolean }
export const readStanding = find<ReadStandingInput, ReadStandingRow>('readStanding')

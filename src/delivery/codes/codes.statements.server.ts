// Made by `npm run tables` from codes.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('codes.sql', import.meta.url))

export type IsNearlyOutInput = { productId: string; lastCodes: number }
export type IsNearlyOutRow = { isOut: boolean }
// Codes that other transactions are reserving count as free.
export const isNearlyOut = find<IsNearlyOutInput, IsNearlyOutRow>('isNearlyOut')

export type TakeCopiesBackInput = { lines: string }
export type TakeCopiesBackRow = { productId: string }
// Puts refunded, unseen codes back on sale. Seen codes are never sold again.
export const takeCopiesBack = find<TakeCopiesBackInput, TakeCopiesBackRow>('takeCopiesBack')

export type ReadCodesInput = { lineId: string }
export type ReadCodesRow = {
  id: string
  ciphertext: Buffer
  sealedParts: Buffer | null
  usedAt: Date | null
  report: import('../cases/report.contract.ts').CodeReport | null
}
export const readCodes = find<ReadCodesInput, ReadCodesRow>('readCodes')

export type FindOwnersInput = { fingerprints: string[] }
export type FindOwnersRow = { fingerprint: string; sellerId: string }
export const findOwners = find<FindOwnersInput, FindOwnersRow>('findOwners')

export type InsertCodesInput = {
  productId: string
  ciphertexts: Buffer[]
  sealedParts: (Buffer | null)[]
  fingerprints: string[]
  days: (string | null)[]
}
export type InsertCodesRow = { fingerprint: string }
export const insertCodes = find<InsertCodesInput, InsertCodesRow>('insertCodes')

export type ReadListedInput = { sellerId: string; maxFree: number }
export type ReadListedRow = { lines: number; ofOthers: number; free: number }
// The number of lines that a member listed today, and of the member's codes for sale.
export const readListed = find<ReadListedInput, ReadListedRow>('readListed')

export type AddListedInput = { sellerId: string; lines: number; ofOthers: number }
export type AddListedRow = { ofOthers: number }
export const addListed = find<AddListedInput, AddListedRow>('addListed')

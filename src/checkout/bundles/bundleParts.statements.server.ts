// Made by `npm run tables` from bundleParts.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('bundleParts.sql', import.meta.url))

export type LockPartsInput = { ids: string[] }
export type LockPartsRow = {
  bundleId: string
  position: number
  id: string
  title: string
  listCents: number
  sellerId: string
  delivery: 'file' | 'code' | 'license' | 'course'
  fileId: string | null
  moreFileIds: string[]
  isOnSale: boolean
}
// The parts of bundles. Locks products in order of their id, like all transactions.
export const lockParts = find<LockPartsInput, LockPartsRow>('lockParts')

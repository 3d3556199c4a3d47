// Made by `npm run tables` from library.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('library.sql', import.meta.url))

export type ReadLibraryInput = {
  userId: string
  sort: string
  isArchived: boolean
  kind: string | null
  words: string
  after: string | null
  limit: number
}
export type ReadLibraryRow = { json: string; total: number; next: string | null }
// A page of the library. Archived entries are ranked too, so archiving does not shift the pages.
export const readLibrary = find<ReadLibraryInput, ReadLibraryRow>('readLibrary')

export type ReadOwnedFilesInput = { maxStampedBytes: number; userId: string; lineId: string }
export type ReadOwnedFilesRow = { json: string | null }
export const readOwnedFiles = find<ReadOwnedFilesInput, ReadOwnedFilesRow>('readOwnedFiles')

export type SetArchivedInput = { isArchived: boolean; lineId: string; userId: string }
export type SetArchivedRow = { id: string }
export const setArchived = find<SetArchivedInput, SetArchivedRow>('setArchived')

export type ReadOpenLinesInput = { userId: string; lineIds: string[] }
export type ReadOpenLinesRow = { id: string }
export const readOpenLines = find<ReadOpenLinesInput, ReadOpenLinesRow>('readOpenLines')

export type ReadOwnedPartsInput = { bundleId: string; userId: string }
export type ReadOwnedPartsRow = { id: string }
export const readOwnedParts = find<ReadOwnedPartsInput, ReadOwnedPartsRow>('readOwnedParts')

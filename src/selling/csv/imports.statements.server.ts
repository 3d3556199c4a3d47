// Made by `npm run tables` from imports.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('imports.sql', import.meta.url))

export type LockImportsInput = { sellerId: string }
export type LockImportsRow = Record<string, never>
// Serializes the imports of a seller, because two files can contain the same product.
export const lockImports = find<LockImportsInput, LockImportsRow>('lockImports')

export type NoteRowsInput = { notes: string; importId: string }
export type NoteRowsRow = Record<string, never>
export const noteRows = find<NoteRowsInput, NoteRowsRow>('noteRows')

export type FindExportedInput = { ids: string[]; importId: string }
export type FindExportedRow = { id: string }
export const findExported = find<FindExportedInput, FindExportedRow>('findExported')

export type MarkRowsInput = { importId: string; numbers: number[] }
export type MarkRowsRow = Record<string, never>
export const markRows = find<MarkRowsInput, MarkRowsRow>('markRows')

export type MarkImportedInput = { importId: string }
export type MarkImportedRow = Record<string, never>
export const markImported = find<MarkImportedInput, MarkImportedRow>('markImported')

export type ListRowsInput = { importId: string; sellerId: string; view: string; after: number; limit: number }
export type ListRowsRow = { json: string }
// A page of rows after the row `after`.
export const listRows = find<ListRowsInput, ListRowsRow>('listRows')

export type SweepImportsInput = Record<string, never>
export type SweepImportsRow = Record<string, never>
// Deletes imports that nobody started within a day, and imports that are too old for Undo.
export const sweepImports = find<SweepImportsInput, SweepImportsRow>('sweepImports')

export type ExportProductsInput = { sellerId: string; afterId: string | null; after: number | null; limit: number }
export type ExportProductsRow = {
  id: string
  title: string
  description: string
  price: string
  suggested: string | null
  category: string
  status: string
  stock: string | null
  sales: string
  created: string
  key: number
}
// A page of products for an export, the newest first. `key` is the cursor.
export const exportProducts = find<ExportProductsInput, ExportProductsRow>('exportProducts')

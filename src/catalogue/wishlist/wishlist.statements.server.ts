// Made by `npm run tables` from wishlist.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('wishlist.sql', import.meta.url))

export type ReadSavedInput = { userId: string }
export type ReadSavedRow = { json: string }
export const readSaved = find<ReadSavedInput, ReadSavedRow>('readSaved')

export type SaveProductInput = { userId: string; id: string; most: number }
export type SaveProductRow = { isWanted: boolean; isSaved: boolean }
// A product that is not for sale cannot be saved, but Undo can restore it.
export const saveProduct = find<SaveProductInput, SaveProductRow>('saveProduct')

export type RemoveSavedInput = { userId: string; id: string }
export type RemoveSavedRow = Record<string, never>
// Also deletes rows that were removed over a day ago.
export const removeSaved = find<RemoveSavedInput, RemoveSavedRow>('removeSaved')

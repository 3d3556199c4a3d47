// Made by `npm run tables` from shelf.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('shelf.sql', import.meta.url))

export type ReadWordsInput = Record<string, never>
export type ReadWordsRow = { word: string }
// The words of the newest titles, most frequent first. The limit bounds the work.
export const readWords = find<ReadWordsInput, ReadWordsRow>('readWords')

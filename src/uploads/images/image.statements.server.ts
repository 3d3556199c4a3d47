// Made by `npm run tables` from image.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('image.sql', import.meta.url))

export type FindBoundInput = { id: string }
export type FindBoundRow = { id: string }
export const findBound = find<FindBoundInput, FindBoundRow>('findBound')

export type FindUnsizedInput = { limit: number }
export type FindUnsizedRow = { id: string }
// Images in use without their other sizes, newest first. Only an image has a colour.
export const findUnsized = find<FindUnsizedInput, FindUnsizedRow>('findUnsized')

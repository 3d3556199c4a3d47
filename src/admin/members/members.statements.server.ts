// Made by `npm run tables` from members.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('members.sql', import.meta.url))

export type ReadPageInput = { ids: string[] }
export type ReadPageRow = { json: string }
export const readPage = find<ReadPageInput, ReadPageRow>('readPage')

export type ReadMemberFileInput = { readerId: string; id: string }
export type ReadMemberFileRow = { json: string }
export const readMemberFile = find<ReadMemberFileInput, ReadMemberFileRow>('readMemberFile')

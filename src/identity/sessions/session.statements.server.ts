// Made by `npm run tables` from session.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('session.sql', import.meta.url))

export type FindSessionInput = { tokenHash: string }
export type FindSessionRow = {
  id: string
  email: string
  role: 'member' | 'support' | 'finance' | 'admin'
  isDue: boolean
  endsInMs: number
}
export const findSession = find<FindSessionInput, FindSessionRow>('findSession')

export type ProlongSessionInput = { tokenHash: string }
export type ProlongSessionRow = Record<string, never>
export const prolongSession = find<ProlongSessionInput, ProlongSessionRow>('prolongSession')

export type FindProofInput = { tokenHash: string }
export type FindProofRow = { userId: string }
export const findProof = find<FindProofInput, FindProofRow>('findProof')

export type FindWorkInput = { tokenHash: string }
export type FindWorkRow = { isOpen: boolean; isDue: boolean; hasFactor: boolean }
// A staff session is open for 8 hours after a proof of identity, and closes after 30 minutes without use.
export const findWork = find<FindWorkInput, FindWorkRow>('findWork')

export type NoteUseInput = { tokenHash: string }
export type NoteUseRow = Record<string, never>
export const noteUse = find<NoteUseInput, NoteUseRow>('noteUse')

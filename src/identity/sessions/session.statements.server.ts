// Made by `npm run tables` from session.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('session.sql', import.meta.url))

export type FindSessionInput = { tokenHash: string }
export type FindSessionRow = {
  id: string
  email: string
  role: import('../../kit/contract.ts').Role
  ownerId: string
  viewName: string | null
  viewEndsAt: Date | null
  isDue: boolean
  endsInMs: number
}
// While a session shows the shop as a member, it is that member, without a role. This ends with the time, with the
// erasure of the member, and when staff may not see the account any more.
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

export type StartViewInput = { nextHash: string; memberId: string; minutes: number; tokenHash: string }
export type StartViewRow = { viewEndsAt: Date | null }
// The session gets another token, so that no node answers from its cache. No row: the session has ended.
export const startView = find<StartViewInput, StartViewRow>('startView')

export type EndViewInput = { tokenHash: string; nextHash: string }
export type EndViewRow = { viewedId: string | null }
export const endView = find<EndViewInput, EndViewRow>('endView')

export type EndDueViewsInput = Record<string, never>
export type EndDueViewsRow = Record<string, never>
export const endDueViews = find<EndDueViewsInput, EndDueViewsRow>('endDueViews')

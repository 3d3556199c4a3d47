// Made by `npm run tables` from disputeFiles.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('disputeFiles.sql', import.meta.url))

export type ListFilesInput = { disputeId: string; userId: string | null }
export type ListFilesRow = {
  id: string
  disputeId: string
  userId: string
  objectId: string
  shows: 'messages' | 'use' | 'other'
  fileName: string
  contentType: string
  sizeBytes: number
  sha256: string
  createdAt: Date
  by: string
}
// Files of a dispute in the order in which they were attached. `userId` selects those of one person.
export const listFiles = find<ListFilesInput, ListFilesRow>('listFiles')

export type AddFileInput = {
  disputeId: string
  userId: string
  objectId: string
  shows: string
  fileName: string
  contentType: string
  sizeBytes: number
  sha256: string
}
export type AddFileRow = Record<string, never>
export const addFile = find<AddFileInput, AddFileRow>('addFile')

export type RemoveFileInput = { id: string; disputeId: string; userId: string | null }
export type RemoveFileRow = { objectId: string; shows: 'messages' | 'use' | 'other'; userId: string }
// `userId` limits the removal to a file of this person.
export const removeFile = find<RemoveFileInput, RemoveFileRow>('removeFile')

export type FindFileInput = { id: string; userId: string | null; disputeId: string | null }
export type FindFileRow = { objectId: string; fileName: string; contentType: string; sizeBytes: number; sha256: string }
// A file of this person or of this dispute.
export const findFile = find<FindFileInput, FindFileRow>('findFile')

export type ForgetFilesInput = { userId: string }
export type ForgetFilesRow = { objectId: string }
// The files of a member, and those about a purchase of the member whose dispute has ended. An answer on its way needs its files.
export const forgetFiles = find<ForgetFilesInput, ForgetFilesRow>('forgetFiles')

export type DeleteOldFilesInput = { days: number }
export type DeleteOldFilesRow = { objectId: string }
// Files of disputes that ended long ago, or whose buyer was erased before the end. Files of erased members whose answer was sent.
export const deleteOldFiles = find<DeleteOldFilesInput, DeleteOldFilesRow>('deleteOldFiles')

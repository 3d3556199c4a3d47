// Made by `npm run tables` from waiting.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('waiting.sql', import.meta.url))

export type CountOpenWorkInput = { readerId: string; kinds: string[] }
export type CountOpenWorkRow = {
  kind: import('./waiting.contract.ts').WaitingKind
  count: number
  mine: number
  oldestAt: Date
}
// Some items exclude one member of staff, the `owner_id`: the first who asked or approved, or the reported member.
export const countOpenWork = find<CountOpenWorkInput, CountOpenWorkRow>('countOpenWork')

export type ListOpenWorkInput = { readerId: string; kinds: string[]; most: number }
export type ListOpenWorkRow = {
  kind: import('./waiting.contract.ts').WaitingKind
  id: string
  about: string | null
  cents: number | null
  since: Date
  dueAt: Date | null
  isMine: boolean
  owner: string | null
}
// The first items of each kind: the reader's own, then the most urgent. Former staff own nothing.
export const listOpenWork = find<ListOpenWorkInput, ListOpenWorkRow>('listOpenWork')

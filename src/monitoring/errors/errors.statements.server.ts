// Made by `npm run tables` from errors.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('errors.sql', import.meta.url))

export type CountReportInput = {
  people: number
  message: string
  place: string
  severity: string
  release: string
  id: string
}
export type CountReportRow = Record<string, never>
// A fixed group reopens if the error comes from a release that started later than the fix.
export const countReport = find<CountReportInput, CountReportRow>('countReport')

export type FindExcessInput = { newest: string; maxAlone: number; maxGroups: number }
export type FindExcessRow = { excess: number; ids: string[] }
// Groups to evict: first those of a person who alone reported very many, then those with the fewest people, oldest
// sighting first. Excludes groups seen by two people within a day.
export const findExcess = find<FindExcessInput, FindExcessRow>('findExcess')

export type ReadGroupsInput = { groupId: string | null; groupStatus: string | null; limit: number }
export type ReadGroupsRow = {
  id: string
  type: 'javascript' | 'network' | 'performance'
  severity: 'low' | 'medium' | 'high' | 'critical'
  message: string
  place: string
  status: 'open' | 'muted' | 'fixed'
  fixedIn: string | null
  isReopened: boolean
  firstSeenAt: Date
  lastSeenAt: Date
  firstRelease: string
  lastRelease: string
  times: number
  people: number
  days: number[]
}
// `days`: the number of reports on each of the last 14 days, oldest first.
export const readGroups = find<ReadGroupsInput, ReadGroupsRow>('readGroups')

export type RecountPeopleInput = { ids: string[] }
export type RecountPeopleRow = Record<string, never>
export const recountPeople = find<RecountPeopleInput, RecountPeopleRow>('recountPeople')

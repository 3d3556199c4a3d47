// Made by `npm run tables` from members.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('members.sql', import.meta.url))

export type ReadPageInput = { ids: string[] }
export type ReadPageRow = { json: string }
export const readPage = find<ReadPageInput, ReadPageRow>('readPage')

export type ReadMemberFileInput = { readerId: string; id: string }
export type ReadMemberFileRow = { json: string }
export const readMemberFile = find<ReadMemberFileInput, ReadMemberFileRow>('readMemberFile')

export type FindBuyersInput = {
  orderId: string | null
  shortId: string | null
  providers: string[]
  captures: string[]
}
export type FindBuyersRow = { userId: string }
// The members who placed the order with this number, or paid with this payment.
export const findBuyers = find<FindBuyersInput, FindBuyersRow>('findBuyers')

export type FindPayersInput = { label: string }
export type FindPayersRow = { userId: string }
// The members who saved a wallet with this address.
export const findPayers = find<FindPayersInput, FindPayersRow>('findPayers')

export type ListCasesInput = {
  memberId: string
  at: number | null
  kind: string | null
  caseId: string | null
  state: string | null
  limit: number
}
export type ListCasesRow = { json: string; next: string | null; total: number }
// The newest case comes first. `at`, `kind`, `caseId` and `state` are the keys of the last case of the previous page.
export const listCases = find<ListCasesInput, ListCasesRow>('listCases')

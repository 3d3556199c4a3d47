// Made by `npm run tables` from invoices.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('invoices.sql', import.meta.url))

export type FindMadeRefundsInput = { orderId: string }
export type FindMadeRefundsRow = { id: string; amountCents: number; at: Date }
// Completed refunds of the payment that bought the goods, oldest first.
export const findMadeRefunds = find<FindMadeRefundsInput, FindMadeRefundsRow>('findMadeRefunds')

export type TakeNumberInput = { kind: string }
export type TakeNumberRow = { year: number; number: number; at: Date }
// Takes the next number of a series. The series restarts each year (UTC). The dates of its numbers never go back.
export const takeNumber = find<TakeNumberInput, TakeNumberRow>('takeNumber')

export type FindPeopleInput = { ids: string[] }
export type FindPeopleRow = {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
  name: string
}
export const findPeople = find<FindPeopleInput, FindPeopleRow>('findPeople')

export type FindOrderToAttachInput = { orderId: string | null; refundId: string | null }
export type FindOrderToAttachRow = { id: string; userId: string }
// Finds the order of a receipt or refund if its buyer wants invoices in mails. Skips payments that bought no goods.
export const findOrderToAttach = find<FindOrderToAttachInput, FindOrderToAttachRow>('findOrderToAttach')

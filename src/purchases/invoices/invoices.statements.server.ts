// Made by `npm run tables` from invoices.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('invoices.sql', import.meta.url))

export type FindMadeRefundsInput = { orderId: string }
export type FindMadeRefundsRow = { id: string; amountCents: number; at: Date }
// Completed refunds of the payment that bought the goods, in the order in which they were made.
export const findMadeRefunds = find<FindMadeRefundsInput, FindMadeRefundsRow>('findMadeRefunds')

export type TakeNumberInput = { kind: string }
export type TakeNumberRow = { year: number; number: number; at: Date }
// The next number of a series, which starts anew each year in UTC. A number is never older than the one before it.
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
// The order of a receipt or of a refund, of a buyer who wants invoices with the mail. Money that bought no goods has no invoice.
export const findOrderToAttach = find<FindOrderToAttachInput, FindOrderToAttachRow>('findOrderToAttach')

// Made by `npm run tables` from customers.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('customers.sql', import.meta.url))

export type ListCustomersInput = {
  sellerId: string
  after: string | null
  limit: number
  counted: number | null
  showsEmail: boolean
}
export type ListCustomersRow = { json: string; next: string | null; total: number }
// The newest sale comes first. `after` is the newest sale of the last customer of the previous page, `counted` its total.
export const listCustomers = find<ListCustomersInput, ListCustomersRow>('listCustomers')

export type SearchCustomersInput = {
  sellerId: string
  q: string
  number: string | null
  showsEmail: boolean
  after: string | null
  limit: number
  counted: number | null
}
export type SearchCustomersRow = { json: string; next: string | null; total: number }
// As `listCustomers`, with the customers that a search finds.
export const searchCustomers = find<SearchCustomersInput, SearchCustomersRow>('searchCustomers')

export type ListCustomerIdsInput = { sellerId: string }
export type ListCustomerIdsRow = { ids: string[] }
// All customers, the newest sale first.
export const listCustomerIds = find<ListCustomerIdsInput, ListCustomerIdsRow>('listCustomerIds')

export type ReadCustomerCardsInput = { sellerId: string; ids: string[]; showsEmail: boolean }
export type ReadCustomerCardsRow = { json: string }
// In the order of `ids`.
export const readCustomerCards = find<ReadCustomerCardsInput, ReadCustomerCardsRow>('readCustomerCards')

export type ReadCustomerInput = { sellerId: string; id: string; limit: number; showsEmail: boolean }
export type ReadCustomerRow = { card: object; note: string; noteVersion: number; bought: object[] }
export const readCustomer = find<ReadCustomerInput, ReadCustomerRow>('readCustomer')

export type SaveNoteInput = { sellerId: string; note: string; userId: string; version: number }
export type SaveNoteRow = { version: number }
// `version` is 0 for a new note. No row: the member bought nothing from the seller or is erased, or the note has another version. The
// lock waits for an erasure under way.
export const saveNote = find<SaveNoteInput, SaveNoteRow>('saveNote')

export type DeleteNoteInput = { sellerId: string; userId: string; version: number }
export type DeleteNoteRow = { userId: string }
// No row: the note has another version, or there is none.
export const deleteNote = find<DeleteNoteInput, DeleteNoteRow>('deleteNote')

export type ReadNoteStateInput = { userId: string; sellerId: string }
export type ReadNoteStateRow = { isCustomer: boolean; version: number }
export const readNoteState = find<ReadNoteStateInput, ReadNoteStateRow>('readNoteState')

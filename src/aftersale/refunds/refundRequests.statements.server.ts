// Made by `npm run tables` from refundRequests.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('refundRequests.sql', import.meta.url))

export type SaveRequestsInput = { orderId: string; reason: string; note: string; lineIds: string[] }
export type SaveRequestsRow = { orderLineId: string }
// Saves a request for each line. An open request changes. A granted request opens again if earlier refunds returned some copies of the
// line, but not all. No row for a line: staff have answered.
export const saveRequests = find<SaveRequestsInput, SaveRequestsRow>('saveRequests')

export type ReadUnderWayInput = { orderId: string }
export type ReadUnderWayRow = { isUnderWay: boolean }
// A refund of the order waits for approval, or was requested at the provider.
export const readUnderWay = find<ReadUnderWayInput, ReadUnderWayRow>('readUnderWay')

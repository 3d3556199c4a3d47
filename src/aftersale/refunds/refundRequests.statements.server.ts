// Made by `npm run tables` from refundRequests.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('refundRequests.sql', import.meta.url))

export type SaveRequestsInput = { orderId: string; reason: string; note: string; lineIds: string[] }
export type SaveRequestsRow = { orderLineId: string }
// Saves a request for each line. An open request changes. A granted request reopens if some copies of the line are not
// refunded. Returns no row for a line that staff have decided.
export const saveRequests = find<SaveRequestsInput, SaveRequestsRow>('saveRequests')

export type ReadUnderWayInput = { orderId: string }
export type ReadUnderWayRow = { isUnderWay: boolean }
// True if a refund of the order waits for approval or was requested at the provider.
export const readUnderWay = find<ReadUnderWayInput, ReadUnderWayRow>('readUnderWay')

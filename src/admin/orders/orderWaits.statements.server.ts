// Made by `npm run tables` from orderWaits.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('orderWaits.sql', import.meta.url))

export type CountWaitsInput = Record<string, never>
export type CountWaitsRow = { wait: import('./adminOrders.contract.ts').Wait; count: number }
// The number of orders by what they wait for.
export const countWaits = find<CountWaitsInput, CountWaitsRow>('countWaits')

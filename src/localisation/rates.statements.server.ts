// Made by `npm run tables` from rates.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('rates.sql', import.meta.url))

export type ReadAgeInput = { staleHours: number }
export type ReadAgeRow = { hours: number | null; late: string | null }
// `late` lists the currencies whose rates are older than `staleHours`.
export const readAge = find<ReadAgeInput, ReadAgeRow>('readAge')

export type NotifyRatesInput = Record<string, never>
export type NotifyRatesRow = { sent: string }
export const notifyRates = find<NotifyRatesInput, NotifyRatesRow>('notifyRates')

import { readFileSync } from 'node:fs'

// Expressions for statements that build their own JSON.

/** The decimal text of cents, which are a whole number. */
export const decimalOf = (cents: string): string => `(${cents} * 0.01)::text`

/** A moment as JavaScript's toISOString writes it. */
export const isoOf = (moment: string): string =>
  `to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The statement of a file, in which :decimal(column) and :iso(column) stand for these expressions. */
export const readSql = (file: URL): string =>
  readFileSync(file, 'utf8')
    .replace(/:decimal\(([\w.]+)\)/g, (_, cents: string) => decimalOf(cents))
    .replace(/:iso\(([\w.]+)\)/g, (_, moment: string) => isoOf(moment))

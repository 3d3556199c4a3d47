// Expressions for statements that build their own JSON.

/** The decimal text of a column of cents that is never below 0, without floats. */
export const decimalOf = (cents: string): string =>
  `(${cents} / 100)::text || '.' || lpad((${cents} % 100)::text, 2, '0')`

/** A moment as JavaScript's toISOString writes it. */
export const isoOf = (moment: string): string =>
  `to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

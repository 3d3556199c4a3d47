/** SQL for the decimal text of a column of cents that is never below 0: no float on the way. */
export const decimalOf = (cents: string): string =>
  `(${cents} / 100)::text || '.' || lpad((${cents} % 100)::text, 2, '0')`

// Assert that a value exists although its type allows null. A missing value is a defect, so these throw an Error.

export function required<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`${what} is missing`)
  return value
}

/** Returns the row of a statement that always returns exactly one. */
export function only<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`a statement returned ${rows.length} rows instead of one`)
  return row
}

/** Returns the first entry of a list that is never empty. */
export function firstOf<T>(list: readonly T[]): T {
  return required(list[0], 'the first entry of a list')
}

/** Returns the last entry of a list that is never empty. */
export function lastOf<T>(list: readonly T[]): T {
  return required(list.at(-1), 'the last entry of a list')
}

/** Returns the entry at `index` of a list that begins again after its end. */
export function wrapped<T>(list: readonly T[], index: number): T {
  return required(list[index % list.length], 'an entry of a list')
}

/** A typed quantity as a whole number within the bounds, or null while it is none. */
export function parseQuantity(typed: string, min: number, max: number): number | null {
  if (!/^\s*\d{1,9}\s*$/.test(typed)) return null
  const quantity = Number(typed)
  return quantity < min ? null : Math.min(quantity, max)
}

/** Whether a typed quantity is more than can be had. */
export const isTooMany = (typed: string, max: number): boolean => /^\s*\d+\s*$/.test(typed) && Number(typed) > max

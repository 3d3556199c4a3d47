export function parseQuantity(typed: string, min: number, max: number): number | null {
  if (!/^\s*\d{1,9}\s*$/.test(typed)) return null
  const quantity = Number(typed)
  return quantity < min ? null : Math.min(quantity, max)
}

export const isTooMany = (typed: string, max: number): boolean => /^\s*\d+\s*$/.test(typed) && Number(typed) > max

import { isUuid } from '../kit/uuid.ts'

const SHORT = /^[0-9a-f]{8}$/

/** Parses an order number, complete or its last eight characters, with or without '#'. */
export function readOrderNumber(typed: string): { text: string; isWhole: boolean } | null {
  const text = typed.trim().replace(/^#\s*/, '').toLowerCase()
  if (isUuid(text)) return { text, isWhole: true }
  return SHORT.test(text) ? { text, isWhole: false } : null
}

export const shortId = (id: string): string => id.slice(-8)

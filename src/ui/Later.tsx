import { type ReactNode, useDeferredValue } from 'react'
import { wasScrolled } from './useScroll.ts'

/** What stands below the head of a page: drawn right after it, or at once when the shopper returns to it further down. */
export function Later({ children }: { children: ReactNode }) {
  return useDeferredValue(true, wasScrolled()) && children
}

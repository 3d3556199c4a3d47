import { type ReactNode, useDeferredValue } from 'react'
import { wasScrolled } from './useScroll.ts'

/**
 * What stands below the head of a page: drawn right after it, so that the press that led here shows at once. A page
 * that is come back to further down is drawn whole, so that it does not jump there.
 */
export function Later({ children }: { children: ReactNode }) {
  return useDeferredValue(true, wasScrolled()) && children
}

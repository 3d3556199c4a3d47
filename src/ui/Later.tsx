import { type ReactNode, useDeferredValue } from 'react'
import { useIsFirstView } from '../kit/drawn.client.ts'
import { wasScrolled } from './useScroll.ts'

/** What stands below the head of a page: drawn right after it, or at once in the first view and on a return further down. */
export function Later({ children }: { children: ReactNode }) {
  const isFirstView = useIsFirstView()
  return useDeferredValue(true, isFirstView || wasScrolled()) && children
}

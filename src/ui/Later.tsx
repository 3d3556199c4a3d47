import { type ReactNode, useDeferredValue } from 'react'
import { useIsFirstView } from '../kit/drawn.client.ts'
import { wasScrolled } from './useScroll.ts'

/** Renders its content after the head of a page, or at once in the first view and to restore scrolling. */
export function Later({ children }: { children: ReactNode }) {
  const isFirstView = useIsFirstView()
  return useDeferredValue(true, isFirstView || wasScrolled()) && children
}

import { useSyncExternalStore } from 'react'

/** Whether the window has room for the rail. */
export const useIsDesktop = (): boolean => useMatches('(min-width: 1024px)')

/** Whether the top bar has room for a search field. */
export const useIsWide = (): boolean => useMatches('(min-width: 768px)')

export function useMatches(query: string): boolean {
  const list = matchMedia(query)
  const subscribe = (changed: () => void) => {
    list.addEventListener('change', changed)
    return () => list.removeEventListener('change', changed)
  }
  return useSyncExternalStore(subscribe, () => list.matches)
}

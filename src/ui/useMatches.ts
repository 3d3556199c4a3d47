import { useSyncExternalStore } from 'react'

export const useIsDesktop = (): boolean => useMatches('(min-width: 1024px)')

export const useIsWide = (): boolean => useMatches('(min-width: 768px)')

/** The server draws for a phone; CSS and the first update after it make the rest. */
export function useMatches(query: string): boolean {
  const subscribe = (changed: () => void) => {
    const list = matchMedia(query)
    list.addEventListener('change', changed)
    return () => list.removeEventListener('change', changed)
  }
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  )
}

import { useSyncExternalStore } from 'react'

export const useIsDesktop = (): boolean => useMatches('(min-width: 1024px)')

export const useIsWide = (): boolean => useMatches('(min-width: 768px)')

/** Returns whether a media query matches. The server renders for a phone; the browser corrects it after hydration. */
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

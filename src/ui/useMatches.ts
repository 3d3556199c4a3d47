import { useSyncExternalStore } from 'react'

export function useMatches(query: string): boolean {
  const list = matchMedia(query)
  const subscribe = (changed: () => void) => {
    list.addEventListener('change', changed)
    return () => list.removeEventListener('change', changed)
  }
  return useSyncExternalStore(subscribe, () => list.matches)
}

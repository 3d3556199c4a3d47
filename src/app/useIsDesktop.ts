import { useSyncExternalStore } from 'react'

const wide = matchMedia('(min-width: 1024px)')

/** Whether the window has room for the rail. */
export const useIsDesktop = (): boolean => useSyncExternalStore(subscribe, () => wide.matches)

function subscribe(changed: () => void) {
  wide.addEventListener('change', changed)
  return () => wide.removeEventListener('change', changed)
}

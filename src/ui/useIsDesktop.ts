import { useMatches } from './useMatches.ts'

/** Whether the window has room for the rail. */
export const useIsDesktop = (): boolean => useMatches('(min-width: 1024px)')

import type { Plugin } from 'vite'

// Finds the modules that Home loads first, so that code shared only by other pages stays out of its chunk.

const STARTS = ['/src/app/main.tsx', '/src/app/pages/HomePage.tsx']
/** TanStack's index imports these, but Home neither writes nor pages. */
const UNUSED =
  /@tanstack\/.*\/(infinite|useInfinite|mutationObserver|useMutation|useMutationState|queriesObserver|useQueries)/

/** A plugin that collects the modules of the first load; `has` is valid when Vite makes the chunks. */
export function firstLoad(): Plugin & { has: (id: string) => boolean } {
  const found = new Set<string>()
  return {
    name: 'first-load',
    apply: 'build',
    has: (id) => found.has(id),
    buildEnd() {
      const add = (id: string) => {
        if (found.has(id) || UNUSED.test(id)) return
        found.add(id)
        this.getModuleInfo(id)?.importedIds.forEach(add)
      }
      for (const id of this.getModuleIds()) if (STARTS.some((start) => id.endsWith(start))) add(id)
    },
  }
}

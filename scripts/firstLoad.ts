import type { Plugin } from 'vite'

// What Home waits for, found from what imports what, so that parts which only other pages share stay out of it.

const STARTS = ['/src/app/main.tsx', '/src/app/pages/HomePage.tsx']
/** Its list names all it has; Home reads and does not write, and pages through nothing. */
const UNUSED =
  /@tanstack\/.*\/(infinite|useInfinite|mutationObserver|useMutation|useMutationState|queriesObserver|useQueries)/

/** A plugin that learns the modules of the first load; `has` knows them when the chunks are made. */
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

import type { Plugin } from 'vite'

// Finds what Home's first load imports, so that code shared only by other pages stays out of its chunk.

const STARTS = ['/src/app/main.tsx', '/src/app/pages/HomePage.tsx']
// Style sheets stay with the entry, and schemas with the forms that import them. TanStack's index imports the rest for other pages.
const UNUSED =
  /\.css$|\?source$|\/zod\/|@tanstack\/.*\/(infinite|useInfinite|mutationObserver|useMutation|useMutationState|queriesObserver|useQueries)/

/** A plugin that collects the modules of the first load; `has` is valid when Vite makes the chunks. */
export function firstLoad(): Plugin & { has: (id: string) => boolean } {
  const found = new Set<string>()
  return {
    name: 'first-load',
    apply: 'build',
    has: (id) => found.has(id),
    buildEnd() {
      const addImports = (id: string) => this.getModuleInfo(id)?.importedIds.forEach(add)
      const add = (id: string) => {
        if (found.has(id) || UNUSED.test(id)) return
        found.add(id)
        addImports(id)
      }
      for (const id of this.getModuleIds()) if (STARTS.some((start) => id.endsWith(start))) addImports(id)
    },
  }
}

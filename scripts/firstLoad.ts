import type { Plugin } from 'vite'

// Finds the modules that Home's first load imports. Code that only other pages share then stays out of the first chunk.

const STARTS = ['/src/app/main.tsx', '/src/app/pages/HomePage.tsx']
// Style sheets stay with the entry, and schemas with their forms. Only other pages use the rest of TanStack.
const UNUSED =
  /\.css$|\?source$|\/zod\/|@tanstack\/.*\/(infinite|useInfinite|mutationObserver|useMutation|useMutationState|queriesObserver|useQueries)/

/** Collects the modules of the first load. Call `has` when Vite makes the chunks. */
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

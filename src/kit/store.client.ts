import { useSyncExternalStore } from 'react'

export function createWatchers() {
  const watchers = new Set<() => void>()
  return {
    notify() {
      for (const changed of watchers) changed()
    },
    watch(changed: () => void): () => void {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
  }
}

export type Store<T> = ReturnType<typeof createStore<T>>

/** Creates a value outside React, to which components subscribe with `useStore`. The server renders `first`. */
export function createStore<T>(value: T, first = value) {
  const { notify, watch } = createWatchers()
  return {
    watch,
    read: () => value,
    readFirst: () => first,
    set(next: T) {
      value = next
      notify()
    },
  }
}

type Readable<T> = Pick<Store<T>, 'watch' | 'read'> & Partial<Pick<Store<T>, 'readFirst'>>

export const useStore = <T>({ watch, read, readFirst = read }: Readable<T>): T =>
  useSyncExternalStore(watch, read, readFirst)

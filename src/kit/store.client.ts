import { useSyncExternalStore } from 'react'

/** Callbacks that run at each `notify`. `watch` returns how to stop watching. */
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

/** A value outside React, which components follow with `useStore`. */
export function createStore<T>(value: T) {
  const { notify, watch } = createWatchers()
  return {
    watch,
    read: () => value,
    set(next: T) {
      value = next
      notify()
    },
  }
}

export const useStore = <T>({ watch, read }: Pick<Store<T>, 'watch' | 'read'>): T => useSyncExternalStore(watch, read)

import { useSyncExternalStore } from 'react'

// Whether the shop tells this page by itself what changes. What depends on it asks now and then while it does not.

let isLive = false
const watchers = new Set<() => void>()

export function setLive(next: boolean) {
  if (next === isLive) return
  isLive = next
  for (const tell of watchers) tell()
}

const watch = (changed: () => void) => {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

export const readLive = () => isLive

/** How often to ask, in milliseconds: `often`, or `seldom` while news comes by itself. */
export const useAskEvery = (often: number, seldom: number): number =>
  useSyncExternalStore(watch, readLive) ? seldom : often

import { createStore } from '../../kit/store.client.ts'

/** Notices about other people, by key. A notice expires after this time unless it is repeated. */
export function createNotices(holdsMs: number) {
  const keys = createStore<ReadonlySet<string>>(new Set())
  const ends = new Map<string, ReturnType<typeof setTimeout>>()

  function end(key: string) {
    clearTimeout(ends.get(key))
    if (ends.delete(key)) keys.set(new Set(ends.keys()))
  }
  function handle(key: string) {
    clearTimeout(ends.get(key))
    const isNew = !ends.has(key)
    ends.set(key, setTimeout(end, holdsMs, key))
    if (isNew) keys.set(new Set(ends.keys()))
  }
  return { keys, handle, end }
}

export function dropOldest<Key>(kept: { keys: () => Iterable<Key>; delete: (key: Key) => boolean }) {
  for (const oldest of kept.keys()) {
    kept.delete(oldest)
    return
  }
}

import { isKeptCache, keptPath, placePath } from '../library/kept.rules.ts'

// The files that this device stores, and the places where their readers stopped without a connection.

export type Stop = { place: string; share: number; movedAt: string }

/** The cache with the files of the member; the caches of others were deleted at sign-in. */
export async function openStored(): Promise<Cache | null> {
  if (!('caches' in window)) return null
  const name = (await caches.keys()).find(isKeptCache)
  return name === undefined ? null : caches.open(name)
}

/** The bytes of a stored file; null for others. */
export async function findStored(lineId: string, fileId: string): Promise<Blob | null> {
  const cache = await openStored()
  return (await cache?.match(keptPath(lineId, fileId)))?.blob() ?? null
}

export async function readJson<T>(cache: Cache, path: string): Promise<T | undefined> {
  return (await cache.match(path))?.json() as Promise<T | undefined>
}

/** Stores a stop in a stored file that did not reach the server. */
export async function storePlace(id: string, fileId: string, stop: Stop) {
  const cache = await openStored()
  if (cache && (await cache.match(keptPath(id, fileId)))) await cache.put(placePath(id, fileId), Response.json(stop))
}

import { Failure, isRefusal } from '../../kit/failure.ts'
import { isKeptCache, keptPath, placePath } from '../library/kept.rules.ts'

// The files that this device stores, and the reading positions that were stored offline.

export type Stop = { place: string; share: number; movedAt: string }

/** The cache with the member's files. Sign-in deleted the caches of other members. */
export async function openStored(): Promise<Cache | null> {
  if (!('caches' in window)) return null
  const name = (await caches.keys()).find(isKeptCache)
  return name === undefined ? null : caches.open(name)
}

/** Returns the bytes of a stored file. Null if the device does not store it. */
export async function findStored(lineId: string, fileId: string): Promise<Blob | null> {
  const cache = await openStored()
  return (await cache?.match(keptPath(lineId, fileId)))?.blob() ?? null
}

/** True if the server itself rejected the request. */
export const isAnswer = (error: unknown): boolean => error instanceof Failure && isRefusal(error)

export async function readJson<T>(cache: Cache, path: string): Promise<T | undefined> {
  return (await cache.match(path))?.json() as Promise<T | undefined>
}

/** Stores a reading position that did not reach the server. */
export async function storePlace(id: string, fileId: string, stop: Stop) {
  const cache = await openStored()
  if (cache && (await cache.match(keptPath(id, fileId)))) await cache.put(placePath(id, fileId), Response.json(stop))
}

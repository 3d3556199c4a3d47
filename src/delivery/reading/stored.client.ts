import { Failure, isRefusal } from '../../kit/failure.ts'
import { isKeptCache, keptPath, placePath } from '../library/kept.rules.ts'

export type Stop = { place: string; share: number; movedAt: string }

export async function openStored(): Promise<Cache | null> {
  if (!('caches' in window)) return null
  const name = (await caches.keys()).find(isKeptCache)
  return name === undefined ? null : caches.open(name)
}

export async function findStored(lineId: string, fileId: string): Promise<Blob | null> {
  const cache = await openStored()
  return (await cache?.match(keptPath(lineId, fileId)))?.blob() ?? null
}

export const isAnswer = (error: unknown): boolean => error instanceof Failure && isRefusal(error)

export async function readJson<T>(cache: Cache, path: string): Promise<T | undefined> {
  return (await cache.match(path))?.json() as Promise<T | undefined>
}

export async function storePlace(id: string, fileId: string, stop: Stop) {
  const cache = await openStored()
  if (cache && (await cache.match(keptPath(id, fileId)))) await cache.put(placePath(id, fileId), Response.json(stop))
}

import { call } from '../../kit/call.client.ts'
import { type StoredFile, keptPath, placePath, readingOf } from '../library/kept.rules.ts'
import { getReading, keepPlace, type Reading } from './reading.contract.ts'
import { isAnswer, openStored, readJson, type Stop } from './stored.client.ts'

export async function readReading(id: string): Promise<Reading> {
  const cache = await openStored()
  const kept = cache && (await readJson<StoredFile>(cache, keptPath(id)))
  if (cache && kept && navigator.onLine) await sendPlaces(cache, id, kept)
  try {
    return await call(getReading, { id })
  } catch (error) {
    const stored = cache && kept && !isAnswer(error) ? await readStored(cache, id, kept) : null
    if (!stored) throw error
    return stored
  }
}

async function readStored(cache: Cache, id: string, kept: StoredFile): Promise<Reading | null> {
  const stops = await Promise.all(
    kept.files.map(async (file) => [file.id, await readJson<Stop>(cache, placePath(id, file.id))] as const),
  )
  const stopOf = new Map(stops)
  return readingOf(kept, (fileId) => {
    const stop = stopOf.get(fileId)
    return stop && { place: stop.place, share: stop.share }
  })
}

/** Sends positions stored offline. If two devices stored one, the later one wins. */
async function sendPlaces(cache: Cache, id: string, { files }: StoredFile) {
  for (const { id: fileId } of files) {
    const stop = await readJson<Stop>(cache, placePath(id, fileId))
    if (!stop) continue
    try {
      await call(keepPlace, { id, fileId, ...stop })
    } catch (error) {
      if (!isAnswer(error)) return
    }
    await cache.delete(placePath(id, fileId))
  }
}

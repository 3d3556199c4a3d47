import { call } from '../../kit/call.client.ts'
import { startDownload } from '../../kit/download/startDownload.client.ts'
import { createStore } from '../../kit/store.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import {
  type StoredFile,
  isCoursePath,
  isKeptCache,
  keptCacheOf,
  type KeptFile,
  keptPath,
  placePath,
  withoutFile,
} from './kept.rules.ts'
import { checkKept, MAX_KEPT } from './library.contract.ts'

export const keptThings = createStore<StoredFile[]>([])
/** The number of courses with stored lessons. Null until the device was read. */
export const storedCourseCount = createStore<number | null>(null)

const readCourseCount = async (cache: Cache): Promise<number> =>
  (await cache.keys()).filter(({ url }) => isCoursePath(new URL(url).pathname)).length

const readKept = async (cache: Cache): Promise<StoredFile[]> => {
  const descriptions = (await cache.keys()).filter(({ url }) => new URL(url).pathname.split('/').length === 3)
  const answers = await Promise.all(descriptions.map((request) => cache.match(request)))
  return Promise.all(
    answers.filter((answer) => answer !== undefined).map((answer) => answer.json() as Promise<StoredFile>),
  )
}

export async function loadKept(userId: string) {
  const name = keptCacheOf(userId)
  const isThere = 'caches' in window && (await caches.has(name))
  const cache = isThere ? await caches.open(name) : null
  keptThings.set(cache ? await readKept(cache) : [])
  storedCourseCount.set(cache ? await readCourseCount(cache) : 0)
}

export const findKept = async (cache: Cache, lineId: string): Promise<StoredFile | undefined> =>
  (await cache.match(keptPath(lineId)))?.json() as Promise<StoredFile | undefined>

export const describeKept = (cache: Cache, lineId: string, kept: StoredFile) =>
  cache.put(keptPath(lineId), Response.json(kept))

export async function dropFile(userId: string, lineId: string, fileId: string) {
  const cache = await caches.open(keptCacheOf(userId))
  const kept = await findKept(cache, lineId)
  await Promise.all([keptPath(lineId, fileId), placePath(lineId, fileId)].map((path) => cache.delete(path)))
  const left = kept && withoutFile(kept, fileId)
  if (left) await describeKept(cache, lineId, left)
  else await cache.delete(keptPath(lineId))
  await loadKept(userId)
}

export async function openKept(userId: string, lineId: string, { id, fileName }: KeptFile) {
  const cache = await caches.open(keptCacheOf(userId))
  const bytes = await (await cache.match(keptPath(lineId, id)))?.blob()
  if (!bytes) {
    toast({ title: 'Not on this device', description: 'The browser has removed the file.', tone: 'bad' })
    return dropFile(userId, lineId, id)
  }
  const url = URL.createObjectURL(bytes)
  startDownload(url, fileName)
  // the browser has read the URL by then
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Deletes stored files that the member may no longer open: refunded, disputed, or of another account. */
export async function dropRevoked() {
  if (!('caches' in window)) return
  for (const name of (await caches.keys()).filter(isKeptCache)) {
    const cache = await caches.open(name)
    const lines = [...new Set((await cache.keys()).map(({ url }) => new URL(url).pathname.split('/')[2]!))]
    const gone = new Set(lines)
    for (let i = 0; i < lines.length; i += MAX_KEPT) {
      const { ids } = await call(checkKept, { ids: lines.slice(i, i + MAX_KEPT) })
      for (const id of ids) gone.delete(id)
    }
    for (const request of await cache.keys())
      if (gone.has(new URL(request.url).pathname.split('/')[2]!)) await cache.delete(request)
  }
}

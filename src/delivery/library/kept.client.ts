import { call } from '../../kit/call.client.ts'
import { startDownload } from '../../kit/startDownload.client.ts'
import { createStore } from '../../kit/store.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { grantDownload } from '../files/files.contract.ts'
import { type Kept, isKeptCache, keptCacheOf, type KeptFile, keptPath, withFile, withoutFile } from './kept.rules.ts'
import { checkKept, MOST_KEPT, type Owned } from './library.contract.ts'

/** What this device keeps for the member. */
export const keptThings = createStore<Kept[]>([])

/** Without the service worker nothing would end the kept files at sign-out. */
export const canKeep = () => 'caches' in window && Boolean(navigator.serviceWorker?.controller)

const readKept = async (cache: Cache): Promise<Kept[]> => {
  const descriptions = (await cache.keys()).filter(({ url }) => new URL(url).pathname.split('/').length === 3)
  const answers = await Promise.all(descriptions.map((request) => cache.match(request)))
  return Promise.all(answers.filter((answer) => answer !== undefined).map((answer) => answer.json() as Promise<Kept>))
}

export async function loadKept(userId: string) {
  const name = keptCacheOf(userId)
  const isThere = 'caches' in window && (await caches.has(name))
  keptThings.set(isThere ? await readKept(await caches.open(name)) : [])
}

const findKept = async (cache: Cache, lineId: string): Promise<Kept | undefined> =>
  (await cache.match(keptPath(lineId)))?.json() as Promise<Kept | undefined>

type Wanted = { userId: string; owned: Owned; file: KeptFile; onProgress: (bytes: number) => void }

/** Downloads a file into the cache of the member. Rejects, and keeps nothing, when the bytes do not arrive whole. */
export async function keepFile({ userId, owned, file, onProgress }: Wanted) {
  const { id: lineId, orderId } = owned
  const { url } = await call(grantDownload, { id: orderId, lineId, fileId: file.id })
  const answer = await fetch(url)
  if (!answer.ok || !answer.body) throw new Error(`the file was answered with ${answer.status}`)
  // asks the browser not to evict the files; it may refuse
  void navigator.storage?.persist?.().catch(() => undefined)
  // a copy with the buyer's address is larger than the file
  const sizeBytes = Number(answer.headers.get('content-length') ?? file.sizeBytes)
  let bytes = 0
  const counted = answer.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length
        onProgress(bytes)
        controller.enqueue(chunk)
      },
    }),
  )
  const name = keptCacheOf(userId)
  const cache = await caches.open(name)
  const path = keptPath(lineId, file.id)
  try {
    await cache.put(path, new Response(counted, { headers: { 'content-type': 'application/octet-stream' } }))
    if (bytes !== sizeBytes) throw new Error('the file is not whole')
    // the member may have signed out meanwhile
    if (!(await caches.has(name))) throw new Error('the session has ended')
    await describe(cache, lineId, withFile(await findKept(cache, lineId), owned, { ...file, sizeBytes }))
  } catch (error) {
    await cache.delete(path)
    throw error
  } finally {
    await loadKept(userId)
  }
}

const describe = (cache: Cache, lineId: string, kept: Kept) => cache.put(keptPath(lineId), Response.json(kept))

export async function dropFile(userId: string, lineId: string, fileId: string) {
  const cache = await caches.open(keptCacheOf(userId))
  const kept = await findKept(cache, lineId)
  await cache.delete(keptPath(lineId, fileId))
  const left = kept && withoutFile(kept, fileId)
  if (left) await describe(cache, lineId, left)
  else await cache.delete(keptPath(lineId))
  await loadKept(userId)
}

/** The bytes of a file that this device keeps; null for others. The caches of other members were deleted at sign-in. */
export async function findKeptFile(lineId: string, fileId: string): Promise<Blob | null> {
  if (!('caches' in window)) return null
  for (const cacheName of (await caches.keys()).filter(isKeptCache)) {
    const kept = await caches.match(keptPath(lineId, fileId), { cacheName })
    if (kept) return kept.blob()
  }
  return null
}

/** Saves a kept file where the browser saves downloads, or says that the browser has evicted it. */
export async function openKept(userId: string, lineId: string, { id, fileName }: KeptFile) {
  const cache = await caches.open(keptCacheOf(userId))
  const bytes = await (await cache.match(keptPath(lineId, id)))?.blob()
  if (!bytes) {
    toast({ title: 'Not on this device', description: 'The browser has removed the file.', tone: 'bad' })
    return dropFile(userId, lineId, id)
  }
  const url = URL.createObjectURL(bytes)
  startDownload(url, fileName)
  // the browser has read the address by then
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Deletes what the server does not let the member open: refunded, disputed, or of another account. */
export async function dropRevoked() {
  if (!('caches' in window)) return
  for (const name of (await caches.keys()).filter(isKeptCache)) {
    const cache = await caches.open(name)
    const lines = [...new Set((await cache.keys()).map(({ url }) => new URL(url).pathname.split('/')[2]!))]
    const gone = new Set(lines)
    for (let i = 0; i < lines.length; i += MOST_KEPT) {
      const { ids } = await call(checkKept, { ids: lines.slice(i, i + MOST_KEPT) })
      for (const id of ids) gone.delete(id)
    }
    for (const request of await cache.keys())
      if (gone.has(new URL(request.url).pathname.split('/')[2]!)) await cache.delete(request)
  }
}

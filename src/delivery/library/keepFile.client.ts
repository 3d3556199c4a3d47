import { call } from '../../kit/call.client.ts'
import { grantDownload } from '../files/files.contract.ts'
import { getReading } from '../reading/reading.contract.ts'
import { describeKept, findKept, loadKept } from './kept.client.ts'
import { keptCacheOf, type KeptFile, keptPath, withFile } from './kept.rules.ts'
import type { Owned } from './owned.contract.ts'

/** Requires the service worker, which deletes stored files at sign-out. */
export const canKeep = () => 'caches' in window && Boolean(navigator.serviceWorker?.controller)

type StoreFileInput = { userId: string; owned: Owned; file: KeptFile; onProgress: (bytes: number) => void }

/** Downloads a file into the member's cache. Rejects and stores nothing if the download is incomplete. */
export async function keepFile({ userId, owned, file, onProgress }: StoreFileInput) {
  const { id: lineId, orderId } = owned
  const { url } = await call(grantDownload, { id: orderId, lineId, fileId: file.id })
  const answer = await fetch(url)
  if (!answer.ok || !answer.body) throw new Error(`the server returned ${answer.status} for the file`)
  // asks the browser not to evict the files; it may refuse
  void navigator.storage?.persist?.().catch(() => undefined)
  // a stamped copy is larger than the file
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
    if (bytes !== sizeBytes) throw new Error('the download is incomplete')
    // the member may have signed out meanwhile
    if (!(await caches.has(name))) throw new Error('the session has ended')
    const reading = await call(getReading, { id: lineId }).catch(() => undefined)
    const known = await findKept(cache, lineId)
    await describeKept(cache, lineId, withFile(known, { owned, ...(reading && { reading }) }, { ...file, sizeBytes }))
    if (file.fileName.toLowerCase().endsWith('.pdf')) void storePdfParts(await cache.match(path))
  } catch (error) {
    await cache.delete(path)
    throw error
  } finally {
    await loadKept(userId)
  }
}

/** Caches the reader parts that a PDF needs. Ignores a failure, because the reader can load them later. */
async function storePdfParts(file: Response | undefined) {
  if (!file) return
  try {
    const { cacheParts } = await import('../reading/pdf/pdf.client.ts')
    await cacheParts(await file.blob())
  } catch {
    // the reader reports a locked or damaged PDF
  }
}

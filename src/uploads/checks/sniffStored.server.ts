import { Failure } from '../../kit/failure.ts'
import { sniff, SNIFFED_BYTES, type Sniffed } from './sniff.rules.ts'
import type { Storage } from '../storage.server.ts'

/** Detects the type of stored bytes. Throws a Failure 409 if their size is wrong. */
export async function sniffStored(storage: Storage, id: string, sizeBytes: number): Promise<Sniffed> {
  const head = await readHead(storage, id)
  if (head.sizeBytes !== sizeBytes) throw incomplete()
  return sniff(head.bytes, head.bytes.length === sizeBytes)
}

async function readHead(storage: Storage, id: string) {
  try {
    const { stream, sizeBytes } = await storage.open(id, { start: 0, end: SNIFFED_BYTES - 1 })
    return { sizeBytes, bytes: Buffer.concat(await stream.toArray()) }
  } catch (error) {
    if (error instanceof Failure && error.status === 404) throw incomplete()
    throw error
  }
}

export const incomplete = () =>
  new Failure(409, 'This upload is incomplete. Please upload the file again.', 'upload_incomplete')

import { createHash, type Hash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from './fileThread.server.ts'

// The thread of fileThread.server.ts. Only its own writes wait for the disk.

/** The thread reports written bytes in steps of this size. */
const STEP_BYTES = 128 * 1024

const files = new Map<number, { fd: number; sha256: Hash; untoldBytes: number }>()
const tell = (message: FromThread) => parentPort?.postMessage(message)

parentPort?.on('message', (message: ToThread) => {
  const { id } = message
  if ('fd' in message) return void files.set(id, { fd: message.fd, sha256: createHash('sha256'), untoldBytes: 0 })
  const file = files.get(id)
  if (!file) return
  if ('isEnd' in message) {
    files.delete(id)
    return tell({ id, sha256: file.sha256.digest('hex') })
  }
  const { chunk } = message
  try {
    file.sha256.update(chunk)
    for (let at = 0; at < chunk.length;) at += writeSync(file.fd, chunk, at)
  } catch (error) {
    files.delete(id)
    return tell({ id, error: { message: String(error), code: (error as NodeJS.ErrnoException).code } })
  }
  file.untoldBytes += chunk.length
  // frees the memory at once, because garbage collection would free tens of megabytes late
  if (chunk.buffer instanceof ArrayBuffer) chunk.buffer.transfer(0)
  if (file.untoldBytes < STEP_BYTES) return
  tell({ id, writtenBytes: file.untoldBytes })
  file.untoldBytes = 0
})

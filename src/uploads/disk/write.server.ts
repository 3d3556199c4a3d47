import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { finished, type Readable } from 'node:stream'
import { codeOf } from '../../kit/database.server.ts'
import type { Stored } from '../storage.server.ts'
import { alreadyThere, emptyFile, interrupted, noRoom, tooLarge } from '../storing.server.ts'

/** While more bytes wait for the disk, the sender waits, too. */
const MOST_WAITING_BYTES = 256 * 1024

/**
 * Measures and hashes while writing. Returns when the bytes are on the disk. `isOurs`: nobody else reads the chunks of the stream,
 * so their memory is freed as soon as it is written.
 */
export async function writeFile(
  path: string,
  stream: Readable,
  maxBytes: number,
  isOurs = stream instanceof IncomingMessage,
): Promise<Stored> {
  const file = await open(path, 'wx', 0o600)
  try {
    const stored = await take(stream, file, { maxBytes, isOurs })
    if (stored.sizeBytes === 0) throw emptyFile()
    await file.sync()
    return stored
  } finally {
    await file.close()
  }
}

type Terms = { maxBytes: number; isOurs: boolean }

/** Leaves the stream open after a failure, because the caller still needs the connection for its response. */
async function take(stream: Readable, file: FileHandle, { maxBytes, isOurs }: Terms): Promise<Stored> {
  const { promise: ending, resolve, reject } = Promise.withResolvers<void>()
  const sha256 = createHash('sha256')
  let [sizeBytes, waitingBytes] = [0, 0]
  let waiting: Buffer[] = []
  let writing: Promise<void> | null = null
  let failure: unknown

  async function write() {
    while (waiting.length > 0) {
      const chunks = waiting
      waiting = []
      await writeAll(file, chunks)
      for (const chunk of chunks) {
        waitingBytes -= chunk.length
        if (isOurs) free(chunk)
      }
      if (waitingBytes < MOST_WAITING_BYTES) stream.resume()
    }
    writing = null
  }

  function add(chunk: Buffer) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) return reject(tooLarge(maxBytes))
    sha256.update(chunk)
    waiting.push(chunk)
    waitingBytes += chunk.length
    if (waitingBytes >= MOST_WAITING_BYTES) stream.pause()
    writing ??= write().catch((error: unknown) => {
      failure = error
      reject(error)
    })
  }

  const ignore = finished(stream, { writable: false }, (error) => (error ? reject(error) : resolve()))
  stream.on('data', add)
  try {
    await ending
  } finally {
    ignore()
    stream.off('data', add)
    // the file closes after its last write
    await writing
    stream.pause()
  }
  if (failure !== undefined) throw failure
  return { sizeBytes, sha256: sha256.digest('hex') }
}

async function writeAll(file: FileHandle, chunks: Buffer[]) {
  let left = (await file.writev(chunks)).bytesWritten - sum(chunks)
  // a disk that is nearly full takes less than all
  while (left < 0) {
    const rest = Buffer.concat(chunks)
    left += (await file.write(rest, rest.length + left)).bytesWritten
  }
}

const sum = (chunks: Buffer[]) => chunks.reduce((bytes, { length }) => bytes + length, 0)

/** Returns the memory of a chunk at once. The garbage collection would let tens of megabytes gather. */
function free({ buffer, byteLength }: Buffer) {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** Makes a new file name survive a power cut. */
export async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export function asFailure(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return noRoom()
  if (code === 'EEXIST') return alreadyThere()
  return interrupted(error) ?? error
}

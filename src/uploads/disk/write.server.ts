import { type FileHandle, open } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { finished, type Readable } from 'node:stream'
import { codeOf } from '../../kit/database.server.ts'
import type { Stored } from '../storage.server.ts'
import { alreadyThere, emptyFile, interrupted, noRoom, tooLarge } from '../storing.server.ts'
import { writeInThread } from './fileThread.server.ts'

/** The sender pauses while more bytes wait for the disk. */
const MAX_WAITING_BYTES = 256 * 1024

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

/** After a failure the stream stays open, because the caller needs its connection for the response. */
async function take(stream: Readable, file: FileHandle, { maxBytes, isOurs }: Terms): Promise<Stored> {
  const { promise: ending, resolve, reject } = Promise.withResolvers<void>()
  let [sizeBytes, waitingBytes] = [0, 0]
  let isTaking = true

  const onWritten = (bytes: number) => {
    waitingBytes -= bytes
    if (isTaking && waitingBytes < MAX_WAITING_BYTES) stream.resume()
  }
  const { write, end } = writeInThread(file.fd, { onWritten, onFailure: reject })

  function add(chunk: Buffer) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) return reject(tooLarge(maxBytes))
    waitingBytes += chunk.length
    if (waitingBytes >= MAX_WAITING_BYTES) stream.pause()
    write(chunk, isOurs)
  }

  const ignore = finished(stream, { writable: false }, (error) => (error ? reject(error) : resolve()))
  const stop = () => {
    isTaking = false
    ignore()
    stream.off('data', add)
    stream.pause()
  }
  stream.on('data', add)
  try {
    await ending
  } catch (error) {
    stop()
    // closes the file only after its last write
    await end().catch(() => undefined)
    throw error
  }
  stop()
  return { sizeBytes, sha256: await end() }
}

/** Makes a new file name durable across a power failure. */
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

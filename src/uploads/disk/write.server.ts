import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { codeOf } from '../../kit/database.server.ts'
import type { Stored } from '../storage.server.ts'
import { alreadyThere, emptyFile, interrupted, noRoom, tooLarge } from '../storing.server.ts'

/** Measures and hashes while writing. Returns when the bytes are on the disk. */
export async function writeFile(path: string, stream: Readable, maxBytes: number): Promise<Stored> {
  const file = await open(path, 'wx', 0o600)
  try {
    const sha256 = createHash('sha256')
    let sizeBytes = 0
    // the caller still needs the connection for its response
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
      const written = writeAll(file, chunk)
      // hashes while the disk works
      sha256.update(chunk)
      await written
    }
    if (sizeBytes === 0) throw emptyFile()
    await file.sync()
    return { sizeBytes, sha256: sha256.digest('hex') }
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, chunk: Buffer) {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
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

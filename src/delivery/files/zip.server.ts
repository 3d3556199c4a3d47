import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export type ZipEntry = {
  path: string
  sizeBytes: number
  addedAt: Date
  /** Called when the ZIP reaches the file. A rejection aborts the ZIP. */
  open: () => Promise<Readable>
}

/** Streams files as a ZIP without compression, because most goods are compressed already. Buffers only a few chunks. */
export function packFiles(entries: ZipEntry[], signal: AbortSignal): { body: Readable; sizeBytes: number } {
  const zip = new ZipFile()
  const body = zip.outputStream as Readable
  let reading: Readable | undefined
  const end = (error?: Error) => {
    reading?.destroy()
    body.destroy(error)
  }
  signal.addEventListener('abort', () => end(), { once: true })
  zip.on('error', end)
  for (const { path, sizeBytes, addedAt, open } of entries)
    zip.addReadStreamLazy(path, { compress: false, size: sizeBytes, mtime: addedAt }, (give) => {
      if (signal.aborted) return
      open().then((stream) => {
        reading = stream
        stream.on('error', end)
        if (body.destroyed) stream.destroy()
        else give(null, stream)
      }, end)
    })
  let total = 0
  // the types of the library lack this argument
  const keepTotal: (bytes: number) => void = (bytes) => (total = bytes)
  zip.end(undefined, keepTotal as () => void)
  return { body, sizeBytes: total }
}

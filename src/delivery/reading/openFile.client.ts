import { findUrl } from './source.client.ts'
import { findStored } from './stored.client.ts'

export type OpenedFile = {
  sizeBytes: number
  read: (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>
}

export const openBlob = (blob: Blob): OpenedFile => ({
  sizeBytes: blob.size,
  read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
})

async function fetchBlob(url: string): Promise<Blob> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`the server returned ${answer.status} for the file`)
  return answer.blob()
}

const FIRST_BYTES = 256 * 1024

/** Reads a file in ranges. `find` returns its URL, and runs again when a URL has expired. */
export async function openRanges(find: () => Promise<string>): Promise<OpenedFile> {
  let url = await find()
  const ask = (start: number, end: number) => fetch(url, { headers: { range: `bytes=${start}-${end - 1}` } })
  const first = await ask(0, FIRST_BYTES)
  const total = /\/(\d+)$/.exec(first.headers.get('content-range') ?? '')?.[1]
  // without range support, or with a hidden Content-Range (CORS), reads the whole file
  if (first.status !== 206 || total === undefined)
    return openBlob(first.status === 200 ? await first.blob() : await fetchBlob(url))
  const start = new Uint8Array(await first.arrayBuffer())
  return {
    sizeBytes: Number(total),
    async read(from, to) {
      if (to <= start.length) return start.slice(from, to)
      let answer = await ask(from, to)
      if (answer.status !== 206) {
        url = await find()
        answer = await ask(from, to)
      }
      if (answer.status !== 206) throw new Error(`the server returned ${answer.status} for a part of the file`)
      return new Uint8Array(await answer.arrayBuffer())
    },
  }
}

export async function openSource(lineId: string, fileId: string): Promise<OpenedFile> {
  const stored = await findStored(lineId, fileId)
  return stored ? openBlob(stored) : openRanges(() => findUrl(lineId, fileId))
}

export const readSource = async (lineId: string, fileId: string): Promise<Blob> =>
  (await findStored(lineId, fileId)) ?? fetchBlob(await findUrl(lineId, fileId))

import { call } from '../../kit/call.client.ts'
import { findKeptFile } from '../library/kept.client.ts'
import { fetchBlob, openBlob, type OpenedFile, openRanges } from './openFile.client.ts'
import { openFile } from './reading.contract.ts'

// Where the bytes of a bought file come from: this device if it stores the file, otherwise the server.

export const findUrl = async (lineId: string, fileId: string) => (await call(openFile, { id: lineId, fileId })).url

export async function openSource(lineId: string, fileId: string): Promise<OpenedFile> {
  const kept = await findKeptFile(lineId, fileId)
  return kept ? openBlob(kept) : openRanges(() => findUrl(lineId, fileId))
}

export const readSource = async (lineId: string, fileId: string): Promise<Blob> =>
  (await findKeptFile(lineId, fileId)) ?? fetchBlob(await findUrl(lineId, fileId))

import { call } from '../../kit/call.client.ts'
import { openFile } from './reading.contract.ts'
import { findStored } from './stored.client.ts'

export const findUrl = async (lineId: string, fileId: string) => (await call(openFile, { id: lineId, fileId })).url

export async function findAddress(lineId: string, fileId: string, type: string): Promise<string> {
  const stored = await findStored(lineId, fileId)
  return stored ? URL.createObjectURL(stored.slice(0, stored.size, type)) : findUrl(lineId, fileId)
}

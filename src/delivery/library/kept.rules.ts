import type { Owned } from './library.contract.ts'

// Files of the library that the member keeps on a device: in Cache Storage, one cache for each member. The service worker
// deletes it at sign-out and when another member signs in.

const PREFIX = 'kept/'
export const keptCacheOf = (userId: string) => PREFIX + userId
export const isKeptCache = (name: string) => name.startsWith(PREFIX)

export type KeptFile = { id: string; fileName: string; sizeBytes: number }
/** A thing with the files of it that the device keeps. */
export type Kept = { owned: Owned; files: KeptFile[] }

/** The address of the description of a thing in the cache, and of the bytes of a file. */
export const keptPath = (lineId: string, fileId = '') => `/kept/${lineId}${fileId && `/${fileId}`}`

export const withFile = (kept: Kept | undefined, owned: Owned, file: KeptFile): Kept => ({
  owned,
  files: [...(kept?.files ?? []).filter(({ id }) => id !== file.id), file],
})

/** Null when it was the last file. */
export function withoutFile({ owned, files }: Kept, fileId: string): Kept | null {
  const left = files.filter(({ id }) => id !== fileId)
  return left.length === 0 ? null : { owned, files: left }
}

export const bytesOfKept = (all: Kept[]): number =>
  all.reduce((sum, { files }) => files.reduce((inner, { sizeBytes }) => inner + sizeBytes, sum), 0)

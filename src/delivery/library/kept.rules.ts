import type { ReadFile, Reading } from '../reading/reading.contract.ts'
import type { Owned } from './owned.contract.ts'

// Stores library files on the device in Cache Storage, with one cache per member. The service worker deletes it at
// sign-out and when another member signs in.

const PREFIX = 'kept/'
export const keptCacheOf = (userId: string) => PREFIX + userId
export const isKeptCache = (name: string) => name.startsWith(PREFIX)

export type KeptFile = { id: string; fileName: string; sizeBytes: number }
export type StoredFile = {
  owned: Owned
  files: KeptFile[]
  reading?: Reading
}

/** Cache path of the description of a purchase, or of the bytes of a file. */
export const keptPath = (lineId: string, fileId = '') => `/kept/${lineId}${fileId && `/${fileId}`}`
export const coursePath = (lineId: string) => keptPath(lineId, 'course')
export const isCoursePath = (path: string) => path.endsWith('/course')
export const placePath = (lineId: string, fileId: string) => `${keptPath(lineId, fileId)}/place`

export const withFile = (
  kept: StoredFile | undefined,
  { owned, reading }: Omit<StoredFile, 'files'>,
  file: KeptFile,
): StoredFile => ({
  ...{ owned, ...(reading && { reading }) },
  files: [...(kept?.files ?? []).filter(({ id }) => id !== file.id), file],
})

export function withoutFile({ files, ...rest }: StoredFile, fileId: string): StoredFile | null {
  const left = files.filter(({ id }) => id !== fileId)
  return left.length === 0 ? null : { ...rest, files: left }
}

export const bytesOfKept = (all: StoredFile[]): number =>
  all.reduce((sum, { files }) => files.reduce((inner, { sizeBytes }) => inner + sizeBytes, sum), 0)

export function readingOf(
  { reading, files }: StoredFile,
  placeOf: (fileId: string) => Pick<ReadFile, 'place' | 'share'> | undefined,
): Reading | null {
  const stored = reading?.files.filter(({ id }) => files.some((file) => file.id === id)) ?? []
  return reading && stored.length > 0
    ? { ...reading, files: stored.map((file) => ({ ...file, ...placeOf(file.id) })) }
    : null
}

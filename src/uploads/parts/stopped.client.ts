import { useSyncExternalStore } from 'react'

// Finds unfinished uploads. The GoldenRetriever plugin stores the files of each uploader under the uploader's id.

export type Stopped = { name: string; percent: number }

export const uploaderId = (title: string, userId: string) => `${title} ${userId}`

type Stored = {
  expires?: number
  metadata?: { files?: Record<string, { name?: string; progress?: Progress }> }
}
type Progress = {
  uploadStarted?: number | null
  uploadComplete?: boolean
  bytesUploaded?: number | false
  bytesTotal?: number | null
}

export function findStopped(id: string): Stopped | null {
  try {
    const stored = JSON.parse(localStorage.getItem(`uppyState:${id}`) ?? 'null') as Stored | null
    if (!stored || (stored.expires ?? 0) < Date.now()) return null
    for (const { name, progress } of Object.values(stored.metadata?.files ?? {})) {
      if (!name || !progress?.uploadStarted || progress.uploadComplete) continue
      const { bytesUploaded, bytesTotal } = progress
      if (bytesUploaded && bytesTotal) return { name, percent: Math.floor((bytesUploaded / bytesTotal) * 100) }
    }
  } catch {
    // no browser storage, or data of another version
  }
  return null
}

const ignore = () => () => undefined

export function useStopped(id: string, isOpen: boolean): Stopped | null {
  // a string, because an object would differ on each read
  const text = useSyncExternalStore(
    ignore,
    () => (isOpen ? 'null' : JSON.stringify(findStopped(id))),
    () => 'null',
  )
  return JSON.parse(text) as Stopped | null
}

import { useSyncExternalStore } from 'react'

// Uploads that were stopped before their end. The uploader stores its files under a name of its own (GoldenRetriever).

export type Stopped = { name: string; percent: number }

/** The name under which an uploader stores its files. */
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

/** The first stopped upload of an uploader; null without one, and where nothing can be stored. */
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
    // a browser without storage, or a text of another version
  }
  return null
}

const ignore = () => () => undefined

/** The stopped upload of a closed uploader, read at each drawing. The server draws the page without it. */
export function useStopped(id: string, isOpen: boolean): Stopped | null {
  // a text, because each reading makes another object
  const text = useSyncExternalStore(
    ignore,
    () => (isOpen ? 'null' : JSON.stringify(findStopped(id))),
    () => 'null',
  )
  return JSON.parse(text) as Stopped | null
}

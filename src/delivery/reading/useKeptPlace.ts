import { useEffect, useRef } from 'react'
import { keepPlaceOf, type KeptPlace } from './keptPlace.client.ts'

export function useKeptPlace(lineId: string, fileId: string) {
  const kept = useRef<KeptPlace>(null)
  useEffect(() => {
    const keeping = keepPlaceOf(lineId, fileId)
    kept.current = keeping
    return () => {
      kept.current = null
      keeping.stop()
    }
  }, [lineId, fileId])
  return kept
}

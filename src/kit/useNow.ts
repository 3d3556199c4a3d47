import { useEffect, useState } from 'react'
import { drawnAt, useIsFirstView } from './drawn.client.ts'

/** Date.now, updated at every multiple of `every` milliseconds. */
export function useNow(every: number): number {
  const isFirstView = useIsFirstView()
  const [now, setNow] = useState(() => (isFirstView ? drawnAt() : Date.now()))
  useEffect(() => {
    const next = now - (now % every) + every + 5
    const timer = setTimeout(() => setNow(Date.now()), Math.min(every, next - Date.now()))
    return () => clearTimeout(timer)
  }, [now, every])
  return now
}

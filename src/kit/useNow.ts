import { useEffect, useState } from 'react'
import { serverNow } from './clock/clock.client.ts'
import { drawnAt, useIsFirstView } from './drawn.client.ts'

/** Returns the server's time, updated at every multiple of `every` milliseconds. */
export function useNow(every: number): number {
  const isFirstView = useIsFirstView()
  const [now, setNow] = useState(() => (isFirstView ? drawnAt() : serverNow()))
  useEffect(() => {
    const next = now - (now % every) + every + 5
    const timer = setTimeout(() => setNow(serverNow()), Math.min(every, next - serverNow()))
    return () => clearTimeout(timer)
  }, [now, every])
  return now
}

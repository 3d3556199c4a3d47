import { useEffect, useState } from 'react'

/** Date.now, updated at every multiple of `every` milliseconds. */
export function useNow(every: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), every - (Date.now() % every) + 5)
    return () => clearTimeout(timer)
  }, [now, every])
  return now
}

import { useEffect, useState } from 'react'

export function useSettled<T>(value: T, ms: number, initial = value): T {
  const [settled, setSettled] = useState(initial)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

/** Returns true `ms` milliseconds after the mount. Optional data has this deadline; then render without it. */
export const useIsLate = (ms: number) => useSettled(true, ms, false)

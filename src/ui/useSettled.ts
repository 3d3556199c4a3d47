import { useEffect, useState } from 'react'

/** The last value that rested for `ms` milliseconds; `useSettled(true, ms, false)` turns true after this time. */
export function useSettled<T>(value: T, ms: number, initial = value): T {
  const [settled, setSettled] = useState(initial)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

import { useEffect, useState } from 'react'

/** True once the component has been mounted for `ms` milliseconds. Optional data has this long; then render without it. */
export function useIsLate(ms: number) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isLate
}

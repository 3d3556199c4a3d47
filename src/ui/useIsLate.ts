import { useEffect, useState } from 'react'

/** Whether this has been on the page for so long, in milliseconds: what only helps is not waited for any longer. */
export function useIsLate(ms: number) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isLate
}

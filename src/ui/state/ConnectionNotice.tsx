import { Check, WifiOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useOnline } from '../../kit/useOnline.ts'

const BACK_ONLINE_MS = 3000

export function ConnectionNotice() {
  const isOnline = useOnline()
  const [isBack, setBack] = useState(false)
  const wasOnline = useRef(true)
  useEffect(() => {
    const hasReturned = isOnline && !wasOnline.current
    wasOnline.current = isOnline
    setBack(hasReturned)
    if (!hasReturned) return
    const timer = setTimeout(() => setBack(false), BACK_ONLINE_MS)
    return () => clearTimeout(timer)
  }, [isOnline])
  return (
    <div className="notices" role="status">
      {!isOnline && (
        <p className="notice">
          <WifiOff className="icon" aria-hidden />
          No Internet connection
        </p>
      )}
      {isBack && (
        <p className="notice notice--ok">
          <Check className="icon" aria-hidden />
          Connected to the Internet
        </p>
      )}
    </div>
  )
}

import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { readToasts, watchToasts } from './toast.client.ts'

/** Where notifications appear. Their code comes with the first of them, or when the browser has nothing else to do. */
export function ToastHost() {
  const isWanted = useSyncExternalStore(watchToasts, () => readToasts().length > 0)
  const [{ Toasts }, setLoaded] = useState<{ Toasts?: ComponentType }>({})
  useEffect(() => {
    if (Toasts) return
    const load = () => void import('./Toasts.tsx').then(setLoaded, () => undefined)
    if (isWanted) return load()
    const timer = setTimeout(load, 2500)
    return () => clearTimeout(timer)
  }, [isWanted, Toasts])
  return Toasts ? <Toasts /> : null
}

import { useStore } from '../../kit/store.client.ts'
import { lazy } from '../lazy.client.ts'
import { toasts } from './toast.client.ts'
import { useIsLate } from '../useSettled.ts'

const region = lazy(() => import('./Toasts.tsx'), 'Toasts')

/** The place of notifications. Their script loads with the first one, or when the page is idle. */
export function ToastHost() {
  const isNeeded = useStore(toasts).length > 0
  const isIdle = useIsLate(2500)
  const { value: Toasts } = region.useLoaded(isNeeded ? 'needed' : isIdle)
  return Toasts ? <Toasts /> : null
}

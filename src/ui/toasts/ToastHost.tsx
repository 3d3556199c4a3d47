import { useStore } from '../../kit/store.client.ts'
import { lazy, useRetryOnline } from '../lazy.client.ts'
import { toasts } from './toast.client.ts'
import { useIsLate } from '../useSettled.ts'

const region = lazy(() => import('./Toasts.tsx'), 'Toasts')

/** Shows notifications. Their script loads when the page is idle or at a notification. Each notification retries it. */
export function ToastHost() {
  const [newest] = useStore(toasts)
  const isIdle = useIsLate(2500)
  const { value: Toasts, ...load } = region.useLoaded(newest ? `toast ${newest.id}` : isIdle)
  useRetryOnline(load)
  return Toasts ? <Toasts /> : null
}

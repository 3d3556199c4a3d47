import { useEffect, useEffectEvent, useRef } from 'react'
import { useFreshOrders } from '../../checkout/useFreshOrders.ts'
import { useIsFirstView } from '../../kit/drawn.client.ts'
import { live } from '../../kit/query/useLive.ts'
import type { Order } from '../../purchases/orders.contract.ts'

const LOOK_EVERY_MS = 5000

/** Polls while a pending order is on screen, with the cart and the credit that it may return. */
export function useFreshWhilePending(orders: Order[]) {
  const isWaiting = orders.some(({ status }) => status === 'pending')
  const readAnew = useFreshOrders()
  const wasLive = useRef(false)
  const isFirstView = useIsFirstView()
  const refresh = useEffectEvent(() => {
    const isLive = live.read()
    // Reads once more when the change feed connects, because the feed does not repeat earlier changes.
    const isOld = !isFirstView && !(isLive && wasLive.current)
    if (isWaiting && isOld && document.visibilityState === 'visible') void readAnew()
    wasLive.current = isLive
  })
  useEffect(() => {
    refresh()
    const comeBack = () => refresh()
    document.addEventListener('visibilitychange', comeBack)
    const timer = setInterval(comeBack, LOOK_EVERY_MS)
    return () => {
      document.removeEventListener('visibilitychange', comeBack)
      clearInterval(timer)
    }
  }, [])
}

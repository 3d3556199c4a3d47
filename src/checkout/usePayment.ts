import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { settleCart } from '../cart/cartChanges.client.ts'
import { call } from '../kit/call.client.ts'
import type { Input, Reply } from '../kit/contract.ts'
import { useIsFirstView } from '../kit/drawn.client.ts'
import { Failure, isConflict, reasonOf } from '../kit/failure.ts'
import { keyOf } from '../kit/query/query.client.ts'
import { getOrder } from '../orders/orders.contract.ts'
import { MAIN_METHOD } from '../payments/methods.ts'
import type { BrowserProvider } from '../payments/provider.ts'
import { loadProvider } from '../payments/providers.client.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { toast } from '../ui/toasts/toast.client.ts'
import { useFreshOrders } from './useFreshOrders.ts'
import { describePlaced } from './quickBuy.rules.ts'
import { retryUnanswered, isProviderAway, isUnanswered } from './retry.client.ts'
import { cancelPayment, capturePayment, placeOrder, startPayment } from './checkout.contract.ts'

export type Purchase = Omit<Input<typeof startPayment>, 'currency' | 'intent'>

function describeRefusal(error: unknown): string {
  const reason = reasonOf(error, (failure) => isConflict(failure) || isProviderAway(failure))
  return `Failed to place order. ${reason ?? ''}`.trim()
}

/** The order that its buyer must confirm first; undefined for any other refusal. */
const orderToConfirm = (error: unknown): string | undefined =>
  error instanceof Failure && error.code === 'confirm_needed' ? String(error.details?.orderId) : undefined

/** The answer is lost and money may have moved; the orders show the result soon. */
const tellUnknown = () =>
  toast({
    title: 'We’re checking',
    description: 'The connection dropped before we got an answer. Check your orders to see what happened.',
    tone: 'bad',
  })

/** The notification about a purchase offers the next ones, with the goods of an order that is ready. */
async function tellPlaced(description: string, isReady = true) {
  const offer = () => import('../notifications/push/push.client.ts').then(({ offerPush }) => offerPush())
  const action = isReady ? await offer().catch(() => undefined) : undefined
  toast({ title: 'Order placed!', description, ...(action && { action }) })
}

/** Places an order from the cart at once and pays it with store credit or the saved method. */
export function useQuickBuy() {
  const [isPlacing, setIsPlacing] = useState(false)
  const [, navigate] = useLocation()
  const refresh = useFreshOrders()

  async function placeNow(order: Pick<Input<typeof placeOrder>, 'items' | 'total' | 'credit' | 'walletId'>) {
    setIsPlacing(true)
    try {
      // the server must have the latest quantities
      await settleCart()
      const paymentId = `${MAIN_METHOD}_${Date.now()}`
      const placed = await retryUnanswered(() => call(placeOrder, { ...order, paymentMethod: MAIN_METHOD, paymentId }))
      await refresh()
      await tellPlaced(describePlaced(placed, Boolean(order.walletId)), placed.status === 'completed')
      navigate(`/orders/${placed.id}`)
    } catch (error) {
      if (isUnanswered(error)) tellUnknown()
      else toastFailure(error, describeRefusal(error))
      await refresh()
      if (isUnanswered(error)) navigate('/orders')
    } finally {
      setIsPlacing(false)
    }
  }
  return { isPlacing, placeNow }
}

/** A payment at the provider. The server settles it, even if the browser goes away. */
export function usePayment() {
  // a press before the script must not charge money later
  const isFirstView = useIsFirstView()
  const [provider, setProvider] = useState<BrowserProvider>()
  const [isPaying, setIsPaying] = useState(false)
  const [, navigate] = useLocation()
  const cache = useQueryClient()
  const refresh = useFreshOrders()

  useEffect(() => {
    let isHere = true
    loadProvider().then(
      (loaded) => isHere && setProvider(loaded),
      () => undefined,
    )
    return () => {
      isHere = false
    }
  }, [])

  async function finish({ status, orderId, order }: Reply<typeof capturePayment>) {
    cache.setQueryData(keyOf(getOrder, { id: orderId }), order)
    await refresh()
    if (status === 'COMPLETED') await tellPlaced('Your order has been placed successfully.')
    if (status === 'PENDING')
      toast({ title: 'Payment received', description: 'It is being confirmed. Your order completes by itself.' })
    if (status === 'DECLINED') {
      toast({
        title: 'Payment declined',
        description: 'You weren’t charged. Press Finish payment to try another way.',
        tone: 'bad',
      })
    }
    navigate(`/orders/${orderId}`)
  }

  /** The buyer approved, and the capture's answer is lost. */
  async function findOut(orderId: string) {
    tellUnknown()
    await refresh()
    navigate(`/orders/${orderId}`)
  }

  async function giveUp(providerOrderId: string) {
    const order = await call(cancelPayment, { id: providerOrderId })
    if (order.status === 'failed') {
      const kept = order.source === 'cart' ? ' Your items are still in your cart.' : ''
      toast({ title: 'Payment canceled', description: `Nothing was charged.${kept}`, tone: 'plain' })
    }
    await refresh()
  }

  /** Must run in a click, or the browser blocks the window. */
  async function pay(purchase: Purchase) {
    if (isPaying) return
    setIsPaying(true)
    try {
      const { open } = provider ?? (await loadProvider())
      const headers = { 'idempotency-key': crypto.randomUUID() }
      const started = settleCart().then(() =>
        retryUnanswered(() => call(startPayment, { ...purchase, currency: 'USD', intent: 'capture' }, { headers })),
      )
      const approve = (id: string) =>
        retryUnanswered(() => call(capturePayment, { id })).then(finish, async (error: unknown) => {
          if (!isUnanswered(error)) throw error
          await findOut((await started).orderId)
        })
      await open(started, { approve, giveUp })
    } catch (error) {
      const waiting = orderToConfirm(error)
      if (waiting) toast({ title: 'Please confirm it’s you', description: 'Nothing was charged. The order says how.' })
      else toastFailure(error, describeRefusal(error))
      await refresh()
      if (waiting) navigate(`/orders/${waiting}`)
    } finally {
      setIsPaying(false)
    }
  }
  return { isPaying, canPay: !isFirstView, pay, mode: provider?.mode }
}

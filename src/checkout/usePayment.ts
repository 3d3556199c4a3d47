import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { getCart } from '../cart/cart.contract.ts'
import { settleCart } from '../cart/cartChanges.client.ts'
import { call } from '../kit/call.client.ts'
import type { Input, Reply } from '../kit/contract.ts'
import { Failure, isConflict, reasonOf } from '../kit/failure.ts'
import { keyOf } from '../kit/query/query.client.ts'
import { getOrder } from '../orders/orders.contract.ts'
import { refreshOrders } from '../orders/orders.query.client.ts'
import { getCredit } from '../payments/credit.contract.ts'
import { listWallets } from '../payments/wallets.contract.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { toast } from '../ui/toasts/toast.client.ts'
import { askAgain, isProviderAway, isUnanswered } from './askAgain.client.ts'
import { cancelPayment, capturePayment, placeOrder, startPayment } from './checkout.contract.ts'
import { loadPayments, type Payments } from './payment.client.ts'

export type Purchase = Omit<Input<typeof startPayment>, 'currency' | 'intent'>

/** Cart, credit, wallets and orders as they are after money or goods moved. */
export function useFreshOrders() {
  const cache = useQueryClient()
  return async () => {
    await Promise.all([
      cache.invalidateQueries({ queryKey: keyOf(getCart, {}) }),
      cache.invalidateQueries({ queryKey: keyOf(getCredit, {}) }),
      cache.invalidateQueries({ queryKey: keyOf(listWallets, {}) }),
      refreshOrders(cache),
    ])
  }
}

function describeRefusal(error: unknown): string {
  const reason = reasonOf(error, (failure) => isConflict(failure) || isProviderAway(failure))
  return `Failed to place order. ${reason ?? ''}`.trim()
}

/** The order whose buyer must confirm it first; undefined for any other refusal. */
const orderToConfirm = (error: unknown): string | undefined =>
  error instanceof Failure && error.code === 'confirm_needed' ? String(error.details?.orderId) : undefined

/** Nobody answered, and money may have moved: the orders know, or will in a moment. */
const tellUnknown = () =>
  toast({
    title: 'We’re checking',
    description: 'The connection dropped before we got an answer. Check your orders to see what happened.',
    tone: 'bad',
  })

/** Places an order from the cart at once; store credit and the saved payment method pay it, as far as they are there. */
export function useQuickBuy() {
  const [isPlacing, setIsPlacing] = useState(false)
  const [, navigate] = useLocation()
  const refresh = useFreshOrders()

  async function placeNow(order: Pick<Input<typeof placeOrder>, 'items' | 'total' | 'credit' | 'walletId'>) {
    setIsPlacing(true)
    try {
      // a quantity changed a moment ago must have reached the cart that is bought
      await settleCart()
      const paymentId = `paypal_${Date.now()}`
      const placed = await askAgain(() => call(placeOrder, { ...order, paymentMethod: 'paypal', paymentId }))
      await refresh()
      toast({ title: 'Order placed!', description: 'Your order has been placed successfully.' })
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

/** The payment provider's window: opened in the click, settled by our server, whatever the shopper does in it. */
export function usePayment() {
  const [payments, setPayments] = useState<Payments>()
  const [isPaying, setIsPaying] = useState(false)
  const [, navigate] = useLocation()
  const cache = useQueryClient()
  const refresh = useFreshOrders()

  useEffect(() => {
    let isHere = true
    loadPayments().then(
      (loaded) => isHere && setPayments(loaded),
      () => undefined,
    )
    return () => {
      isHere = false
    }
  }, [])

  async function finish({ status, orderId, order }: Reply<typeof capturePayment>) {
    cache.setQueryData(keyOf(getOrder, { id: orderId }), order)
    await refresh()
    if (status === 'COMPLETED')
      toast({ title: 'Order placed!', description: 'Your order has been placed successfully.' })
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

  /** The shopper has approved, and whether it was captured could not be heard. */
  async function findOut(orderId: string) {
    tellUnknown()
    await refresh()
    navigate(`/orders/${orderId}`)
  }

  async function giveUp(providerOrderId: string) {
    const order = await call(cancelPayment, { id: providerOrderId })
    await refresh()
    if (order.status === 'failed')
      toast({ title: 'Payment canceled', description: 'Nothing was charged.', tone: 'plain' })
  }

  /** Must be called from a click, or the browser blocks the window. */
  async function pay(purchase: Purchase) {
    if (isPaying) return
    setIsPaying(true)
    try {
      const { sdk } = payments ?? (await loadPayments())
      const headers = { 'idempotency-key': crypto.randomUUID() }
      const started = settleCart().then(() =>
        askAgain(() => call(startPayment, { ...purchase, currency: 'USD', intent: 'capture' }, { headers })),
      )
      await runSession(sdk, started, { finish, findOut, giveUp })
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
  return { isPaying, pay, mode: payments?.setup.environment }
}

type Endings = {
  finish: (captured: Reply<typeof capturePayment>) => Promise<void>
  findOut: (orderId: string) => Promise<void>
  giveUp: (providerOrderId: string) => Promise<void>
}

/** Opens the window and resolves when the shopper is through with it; rejects when the payment could not be started. */
function runSession(
  sdk: Payments['sdk'],
  started: Promise<Reply<typeof startPayment>>,
  { finish, findOut, giveUp }: Endings,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = sdk.createPayPalOneTimePaymentSession({
      onApprove: async ({ orderId: id }) =>
        askAgain(() => call(capturePayment, { id }))
          .then(finish, async (error: unknown) => {
            if (!isUnanswered(error)) throw error
            await findOut((await started).orderId)
          })
          .then(resolve, reject),
      onCancel: () => void started.then(({ id }) => giveUp(id)).then(resolve, reject),
      onError: (error) => {
        // oxlint-disable-next-line no-console -- the specification wants this logged and no more
        console.warn('the payment window reports an error', error)
        started.then(({ id }) => giveUp(id)).then(() => reject(error), reject)
      },
    })
    // the window must open in the click, so the order's id follows as a promise
    session
      .start(
        { presentationMode: 'auto' },
        started.then(({ id }) => ({ orderId: id })),
      )
      .catch(reject)
    started.catch(reject)
  })
}

import type { QueryClient } from '@tanstack/react-query'
import { settleCart } from '../cart/cartChanges.client.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import type { Input, Reply } from '../kit/contract.ts'
import { Failure, isConflict, reasonOf } from '../kit/failure.ts'
import { keyOf } from '../kit/query/query.client.ts'
import { getOrder, type Order } from '../purchases/orders.contract.ts'
import type { PayMethod } from '../payments/methods/useMethods.ts'
import { loadProvider } from '../providers/providers.client.ts'
import { toast } from '../ui/toasts/toast.client.ts'
import {
  cancelPayment,
  capturePayment,
  chargeOrder,
  placeOrder,
  readBankQuestion,
  startPayment,
} from './checkout.contract.ts'
import { describePlaced } from './quickBuy/quickBuy.rules.ts'
import { isLost, isProviderAway, isUnanswered, retryUnanswered } from './retry.client.ts'

export type Purchase = Omit<Input<typeof startPayment>, 'currency' | 'intent' | 'method'>
export type QuickPurchase = Pick<Input<typeof placeOrder>, 'items' | 'total' | 'credit' | 'source' | 'discount'> & {
  walletId: string | null
}
export type ChargedOrder = Omit<Input<typeof chargeOrder>, 'paymentMethod'>

export type Around = { cache: QueryClient; navigate: (path: string) => void; refresh: () => Promise<void> }

function describeRefusal(error: unknown): string {
  const reason = reasonOf(error, (failure) => isConflict(failure) || isProviderAway(failure))
  return `Failed to place order. ${reason ?? ''}`.trim()
}

const orderNamed = (error: unknown, code: string): string | undefined =>
  error instanceof Failure && error.code === code ? String(error.details?.orderId) : undefined

/** Shown when money may have moved: the connection was lost, or the server has no result yet. */
export const notifyUnknown = (error?: unknown) =>
  toast({
    title: 'We’re checking',
    description: `${error === undefined || !isLost(error) ? 'We don’t know the result yet.' : 'The connection dropped before we got an answer.'} Check your orders to see what happened.`,
    tone: 'bad',
  })

async function notifyPlaced(description: string, isReady = true) {
  const offer = () => import('../notifications/push/push.client.ts').then(({ offerPush }) => offerPush())
  const action = isReady ? await offer().catch(() => undefined) : undefined
  toast({ title: 'Order placed!', description, ...(action && { action }) })
}

export async function notifyEnding(status: Reply<typeof capturePayment>['status'], { hold }: Pick<Order, 'hold'>) {
  if (status === 'COMPLETED') await notifyPlaced('Your order has been placed successfully.')
  if (status === 'PENDING')
    toast({
      title: 'Payment received',
      description:
        hold?.kind === 'hold'
          ? 'We’re reviewing your order. The order shows why and until when.'
          : 'It is being confirmed. Your order completes by itself.',
    })
  if (status === 'DECLINED') {
    toast({
      title: 'Payment declined',
      description: 'You weren’t charged. Press Finish payment to try another way.',
      tone: 'bad',
    })
  }
}

export function notifyCanceled({ status, source }: Reply<typeof cancelPayment>) {
  if (status !== 'failed') return
  const kept = source === 'cart' ? ' Your items are still in your cart.' : ''
  toast({ title: 'Payment canceled', description: `Nothing was charged.${kept}`, tone: 'plain' })
}

export async function buyQuickly(order: QuickPurchase | ChargedOrder, method: string, { navigate, refresh }: Around) {
  try {
    // the server must have the latest quantities
    await settleCart()
    const asked = { ...order, paymentMethod: method }
    const paymentId = `${method}_${Date.now()}`
    // a declined charge is retried only after another press
    const placed =
      'id' in asked
        ? await call(chargeOrder, asked)
        : await retryUnanswered(() => call(placeOrder, { ...asked, paymentId }))
    const bank = placed.status === 'pending' && order.walletId ? await call(readBankQuestion, { id: placed.id }) : null
    if (bank?.url) return location.assign(bank.url)
    await refresh()
    await notifyPlaced(describePlaced(placed, Boolean(order.walletId)), placed.status === 'completed')
    navigate(`/orders/${placed.id}`)
  } catch (error) {
    if (isLost(error)) notifyUnknown(error)
    else toastFailure(error, describeRefusal(error))
    await refresh()
    if (isLost(error)) navigate('/orders')
  }
}

/** Loads the provider's script. Call the returned function in a click, or the browser blocks the window. */
export async function prepare(method: PayMethod) {
  const provider = method.step === 'window' ? await loadProvider(method.name) : null

  return async function pay(purchase: Purchase, { cache, navigate, refresh }: Around) {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const asked = { ...purchase, method: method.name, currency: 'USD', intent: 'capture' } as const
    const started = settleCart().then(() => retryUnanswered(() => call(startPayment, asked, { headers })))

    async function finish({ status, orderId, order }: Reply<typeof capturePayment>) {
      cache.setQueryData(keyOf(getOrder, { id: orderId }), order)
      await refresh()
      await notifyEnding(status, order)
      navigate(`/orders/${orderId}`)
    }
    async function findOut(orderId: string, error: unknown) {
      notifyUnknown(error)
      await refresh()
      navigate(`/orders/${orderId}`)
    }
    const approve = (id: string) =>
      retryUnanswered(() => call(capturePayment, { id })).then(finish, async (error: unknown) => {
        if (!isUnanswered(error)) throw error
        await findOut((await started).orderId, error)
      })
    async function giveUp(id: string) {
      notifyCanceled(await call(cancelPayment, { id }))
      await refresh()
    }

    try {
      if (provider) return await provider.open(started, { approve, giveUp })
      const { next, orderId } = await started
      if (next.kind !== 'page') {
        await refresh()
        return navigate(`/pay/${orderId}`)
      }
      location.assign(next.url)
      // stay busy until the browser leaves; end if Back restores this page from the cache
      await new Promise<void>((done) => {
        addEventListener('pageshow', ({ persisted }) => persisted && done(), { once: true })
      })
      await refresh()
    } catch (error) {
      const [waiting, paid] = [orderNamed(error, 'confirm_needed'), orderNamed(error, 'order_paid')]
      if (waiting) toast({ title: 'Please confirm it’s you', description: 'Nothing was charged. The order says how.' })
      else if (paid) await notifyPlaced(reasonOf(error, isConflict) ?? '')
      else toastFailure(error, describeRefusal(error))
      await refresh()
      const shown = waiting ?? paid
      if (shown) navigate(`/orders/${shown}`)
    }
  }
}

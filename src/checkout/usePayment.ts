import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { useIsFirstView } from '../kit/drawn.client.ts'
import type { PayMethod } from '../payments/methods/useMethods.ts'
import type { Around, ChargedOrder, prepare, Purchase, QuickPurchase } from './pay.client.ts'
import { useFreshOrders } from './useFreshOrders.ts'

const load = () => import('./pay.client.ts')

type Ready = { for: string; pay: Awaited<ReturnType<typeof prepare>> }

/** Pays with a method. The server settles the payment even if the browser disappears. */
export function usePayment(method: PayMethod) {
  // a press before the script has loaded must not charge money later
  const isFirstView = useIsFirstView()
  const [ready, setReady] = useState<Ready>()
  const [busy, setBusy] = useState<'pay' | 'quick'>()
  const [, navigate] = useLocation()
  const around: Around = { cache: useQueryClient(), navigate, refresh: useFreshOrders() }

  useEffect(() => {
    let isHere = true
    load()
      .then(async ({ prepare }) => {
        const pay = await prepare(method)
        if (isHere) setReady({ for: method.name, pay })
      })
      .catch(() => undefined)
    return () => {
      isHere = false
    }
  }, [method])

  async function during(kind: 'pay' | 'quick', work: () => Promise<unknown>) {
    if (busy) return
    setBusy(kind)
    try {
      await work()
    } catch (error) {
      toastFailure(error, 'Failed to place order.')
    } finally {
      setBusy(undefined)
    }
  }
  return {
    isPaying: busy === 'pay',
    isPlacing: busy === 'quick',
    canPay: !isFirstView,
    /** Call it in a click, or the browser blocks the window. */
    pay: (purchase: Purchase) =>
      during('pay', async () => {
        const pay = ready?.for === method.name ? ready.pay : await (await load()).prepare(method)
        await pay(purchase, around)
      }),
    placeNow: (order: QuickPurchase | ChargedOrder) =>
      during('quick', async () => (await load()).buyQuickly(order, method.name, around)),
  }
}

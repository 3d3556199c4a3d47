import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { useIsFirstView } from '../kit/drawn.client.ts'
import { chosenOf } from '../payments/methods/useMethods.ts'
import { Button } from '../ui/Button.tsx'
import type { QuickPurchase } from './pay.client.ts'
import { useFreshOrders } from './useFreshOrders.ts'

type GetFreeButtonProps = Pick<QuickPurchase, 'items' | 'discount'> & { isDisabled: boolean }

export function GetFreeButton({ items, discount, isDisabled }: GetFreeButtonProps) {
  const isFirstView = useIsFirstView()
  const [isBusy, setBusy] = useState(false)
  const [, navigate] = useLocation()
  const around = { cache: useQueryClient(), navigate, refresh: useFreshOrders() }
  async function get() {
    setBusy(true)
    try {
      const { buyQuickly } = await import('./pay.client.ts')
      const free = { total: '0.00', credit: '0.00', source: 'product', walletId: null } as const
      await buyQuickly({ items, ...free, ...(discount && { discount }) }, chosenOf(undefined).method.name, around)
    } catch (error) {
      toastFailure(error, 'Failed to place order.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      tone="primary"
      isLarge
      isWide
      isBusy={isBusy}
      disabled={isDisabled || isFirstView}
      onClick={() => void get()}
    >
      Get it free
    </Button>
  )
}

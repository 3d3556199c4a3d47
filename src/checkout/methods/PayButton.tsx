import { useState } from 'react'
import type { MethodChoice } from '../../payments/methods/methods.contract.ts'
import { hasChoice, methodOf, useMethods } from '../../payments/methods/useMethods.ts'
import { Button, type ButtonLook } from '../../ui/Button.tsx'
import { lazy } from '../../ui/lazy.client.ts'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useDialog } from '../../ui/useDialog.ts'
import { type Bought, toStart } from './bought.rules.ts'
import { usePayment } from '../usePayment.ts'

const choicePart = lazy(async () => ({ choice: await import('./MethodLine.tsx') }), 'choice')

type PayButtonProps = {
  label: string
  look: ButtonLook
  isDisabled?: boolean
  purchase: Bought
  method?: string | null
}

/**
 * Pays with the default method. A separate part lets the buyer change it. The button must remain the same element when
 * that part loads, because a new one would lose a touch press and the focus.
 */
export function PayButton({ label, look, isDisabled = false, purchase, method: own }: PayButtonProps) {
  const { value: part } = choicePart.useLoaded(hasChoice())
  const { data } = useMethods()
  const [picked, setPicked] = useState<MethodChoice>()
  const dialog = useDialog()
  const choice = part && data && part.choiceFor(data, purchase, own, picked)
  const { isPaying, isPlacing, canPay, pay, placeNow } = usePayment(choice?.method ?? methodOf(data, own))
  const isOff = isDisabled || !canPay

  const go = () => {
    if (!choice?.wallet) return void pay(toStart(purchase))
    if (!('items' in purchase))
      return void placeNow({ id: purchase.orderId, total: purchase.amount, walletId: choice.wallet.id })
    const { items, amount: total, discount } = purchase
    const order = { items, total, credit: '0.00', source: 'product' as const, walletId: choice.wallet.id }
    void placeNow({ ...order, ...(discount && { discount }) })
  }
  return (
    <>
      <Button {...look} isBusy={isPaying || isPlacing} disabled={isOff} onClick={choice?.isAsked ? dialog.open : go}>
        {label}
      </Button>
      {choice ? (
        <part.MethodLine
          choice={choice}
          purchase={purchase}
          dialog={dialog}
          isDisabled={isOff}
          onPick={setPicked}
          onPay={go}
        />
      ) : (
        hasChoice() && (look.isWide ? <Skeleton height="2.75rem" /> : PAY_ANOTHER_WAY)
      )}
    </>
  )
}

const PAY_ANOTHER_WAY = (
  <Button tone="quiet" className="flush-start" disabled>
    Pay another way
  </Button>
)

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toCents } from '../../kit/money.ts'
import type { MethodChoice, Methods } from '../../payments/methods/methods.contract.ts'
import { choose } from '../../payments/methods/useMethods.ts'
import { Button, type ButtonLook } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { useDialog } from '../../ui/useDialog.ts'
import { type Bought, toStart } from './bought.rules.ts'
import { asksFirst } from '../quickBuy.rules.ts'
import { usePayment } from '../usePayment.ts'

const MethodDialog = lazyDialog(() => import('./MethodDialog.tsx'), 'MethodDialog')

type ChosenPayButtonProps = {
  label: string
  look: ButtonLook
  isDisabled?: boolean
  purchase: Bought
  method?: string | null
  data: Methods
}

/** Pays with the chosen method: a saved one at once, any other in its own way. */
export function ChosenPayButton(props: ChosenPayButtonProps) {
  const { label, look, isDisabled = false, purchase, method: own, data: all } = props
  const cache = useQueryClient()
  const dialog = useDialog()
  const items = 'items' in purchase ? purchase.items : null
  // an order that waits keeps its method until the buyer picks another; a saved method pays when the order is placed
  const data = items ? all : { ...all, saved: [] }
  const [picked, setPicked] = useState<MethodChoice>()
  const offered = (name?: string | null) => all.methods.find((method) => method.name === name)
  const start = offered(own) ?? offered(all.choice.method) ?? all.methods[0]!
  const value = items ? all.choice : (picked ?? { method: start.name, walletId: null })
  const method = offered(value.method) ?? start
  const wallet = data.saved.find(({ id }) => id === value.walletId)
  const { isPaying, isPlacing, canPay, pay, placeNow } = usePayment(method)

  const go = () => {
    const { amount: total, discount } = purchase
    if (!wallet || !items) return void pay(toStart(purchase))
    const order = { items, total, credit: '0.00', source: 'product' as const, walletId: wallet.id }
    void placeNow({ ...order, ...(discount && { discount }) })
  }
  const pick = (choice: MethodChoice) => (items ? choose(cache, choice) : setPicked(choice))
  const name = wallet?.label ?? method.label
  const creditCents = 'credit' in purchase ? toCents(purchase.credit) : 0
  return (
    <>
      <Button
        {...look}
        isBusy={isPaying || isPlacing}
        disabled={isDisabled || !canPay}
        onClick={wallet && items && asksFirst(items, purchase.amount) ? dialog.open : go}
      >
        {label}
      </Button>
      {items ? (
        <div className="row row--nowrap">
          <span className="small muted grow clamp-2 wrap-anywhere">
            {wallet ? `Charges ${name} at once.` : `With ${name}. ${method.hint}`}
            {method.isSandbox && ' No real money.'}
          </span>
          <Button tone="quiet" aria-label="Change the payment method" onClick={dialog.open}>
            Change
          </Button>
        </div>
      ) : (
        <Button tone="quiet" onClick={dialog.open}>
          Pay another way
        </Button>
      )}
      {dialog.isWanted && (
        <MethodDialog
          {...dialog.props}
          data={data}
          value={value}
          onPick={pick}
          cents={toCents(purchase.amount)}
          creditCents={creditCents}
          name={name}
          isDisabled={isDisabled || !canPay}
          onPay={go}
        />
      )}
    </>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { toCents } from '../../kit/money.ts'
import type { MethodChoice, Methods } from '../../payments/methods/methods.contract.ts'
import { choose } from '../../payments/methods/useMethods.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import type { useDialog } from '../../ui/useDialog.ts'
import { asksFirst } from '../quickBuy/quickBuy.rules.ts'
import type { Bought } from './bought.rules.ts'

const MethodDialog = lazyDialog(() => import('./MethodDialog.tsx'), 'MethodDialog')

export function choiceFor(
  all: Methods,
  purchase: Bought,
  own: string | null | undefined,
  picked: MethodChoice | undefined,
) {
  const named = (name: string | null | undefined) => all.methods.find((method) => method.name === name)
  // a pending order retains its method until the buyer chooses another
  const items = 'items' in purchase ? purchase.items : null
  const start = named(own) ?? named(all.choice.method) ?? all.methods[0]!
  const value = items ? all.choice : (picked ?? { method: start.name, walletId: null })
  const wallet = all.saved.find(({ id }) => id === value.walletId)
  const isAsked = Boolean(wallet && items && asksFirst(items, purchase.amount))
  return { data: all, value, wallet, method: named(value.method) ?? start, isAsked }
}

type MethodLineProps = {
  choice: ReturnType<typeof choiceFor>
  purchase: Bought
  dialog: ReturnType<typeof useDialog>
  isDisabled: boolean
  onPick: (choice: MethodChoice) => void
  onPay: () => void
}

export function MethodLine({ choice, purchase, dialog, isDisabled, onPick, onPay }: MethodLineProps) {
  const cache = useQueryClient()
  const { data, value, wallet, method } = choice
  const isNew = 'items' in purchase
  return (
    <>
      {isNew ? (
        <div className="row row--nowrap">
          <span className="small muted grow clamp-2 wrap-anywhere">
            {wallet ? `Charges ${wallet.label} at once.` : `With ${method.label}. ${method.hint}`}
            {method.isSandbox && ' No real money.'}
          </span>
          <Button tone="quiet" className="flush-end" aria-label="Change the payment method" onClick={dialog.open}>
            Change
          </Button>
        </div>
      ) : (
        <Button tone="quiet" className="flush-start" onClick={dialog.open}>
          Pay another way
        </Button>
      )}
      {dialog.isWanted && (
        <MethodDialog
          {...dialog.props}
          data={data}
          value={value}
          onPick={(picked) => (isNew ? choose(cache, picked) : onPick(picked))}
          cents={toCents(purchase.amount)}
          creditCents={isNew ? 0 : toCents(purchase.credit)}
          name={wallet?.label ?? method.label}
          isDisabled={isDisabled}
          onPay={onPay}
        />
      )}
    </>
  )
}

import { CreditCard, Zap } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { asksFirst, copiesOf } from './quickBuy.rules.ts'
import { usePayment, useQuickBuy } from './usePayment.ts'

const ConfirmQuickBuy = lazy(async () => ({ default: (await import('./ConfirmQuickBuy.tsx')).ConfirmQuickBuy }))

type CartLine = { productId: string; quantity: number; price: string }

/** Quick Buy and the payment provider's button under the cart's summary. `total` is a decimal string in USD. */
export function PayButtons({ items, total }: { items: CartLine[]; total: string }) {
  const { isPlacing, placeNow } = useQuickBuy()
  const { isPaying, pay, mode, savedMethod } = usePayment()
  const [asked, setAsked] = useState<boolean | null>(null)
  const isBusy = isPlacing || isPaying
  const buy = () => {
    setAsked(asked && false)
    void placeNow({ items, total })
  }
  return (
    <div className="stack">
      <Button
        tone="primary"
        isLarge
        isWide
        icon={<Zap className="icon" aria-hidden />}
        isBusy={isPlacing}
        disabled={isPaying}
        onClick={() => (asksFirst(items, total) ? setAsked(true) : buy())}
      >
        Quick Buy
      </Button>
      <Button
        tone="line"
        isLarge
        isWide
        icon={<CreditCard className="icon" aria-hidden />}
        isBusy={isPaying}
        disabled={isPlacing}
        onClick={() => void pay({ amount: total })}
      >
        Pay with PayPal
      </Button>
      <Suspense>
        {asked !== null && (
          <ConfirmQuickBuy
            isOpen={asked}
            onClose={() => setAsked(false)}
            onConfirm={buy}
            total={total}
            copies={copiesOf(items)}
            method={savedMethod?.label}
          />
        )}
      </Suspense>
      <p className="small muted" aria-live="polite">
        {isBusy ? 'Working on your order…' : describeQuickBuy(savedMethod?.label)}
        {mode === 'sandbox' && ' This is the payment sandbox: no money moves.'}
      </p>
    </div>
  )
}

const describeQuickBuy = (label: string | undefined) =>
  label ? `Quick Buy charges ${label}.` : 'Quick Buy keeps your order for 30 minutes; pay it from your orders.'

import { CreditCard, Wallet, Zap } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { asksFirst, copiesOf, describeQuickBuy } from './quickBuy.rules.ts'
import { usePayment, useQuickBuy } from './usePayment.ts'

const ConfirmQuickBuy = lazyDialog(async () => (await import('./ConfirmQuickBuy.tsx')).ConfirmQuickBuy)

type CartLine = { productId: string; quantity: number; price: string }

type PayButtonsProps = {
  items: CartLine[]
  /** Decimal strings in USD: what the cart comes to, and what store credit pays of it. */
  total: string
  credit: string
}

/** Quick Buy and the payment provider's button under the cart's summary; credit that covers all takes that one's place. */
export function PayButtons({ items, total, credit }: PayButtonsProps) {
  const { isPlacing, placeNow } = useQuickBuy()
  const { isPaying, pay, mode, savedMethod } = usePayment()
  const [asked, setAsked] = useState<boolean | null>(null)
  const isBusy = isPlacing || isPaying
  const buy = () => {
    setAsked(asked && false)
    void placeNow({ items, total, credit })
  }
  const start = () => (asksFirst(items, total) ? setAsked(true) : buy())
  const isCovered = credit === total
  const terms = { method: savedMethod?.label, total, credit }
  return (
    <div className="stack">
      <Button
        tone="primary"
        isLarge
        isWide
        icon={<Zap className="icon" aria-hidden />}
        isBusy={isPlacing}
        disabled={isPaying}
        onClick={start}
      >
        Quick Buy
      </Button>
      <Button
        tone="line"
        isLarge
        isWide
        icon={isCovered ? <Wallet className="icon" aria-hidden /> : <CreditCard className="icon" aria-hidden />}
        isBusy={isPaying}
        disabled={isPlacing}
        onClick={() => (isCovered ? start() : void pay({ amount: total, credit }))}
      >
        {isCovered ? 'Pay with store credit' : 'Pay with PayPal'}
      </Button>
      {asked !== null && (
        <ConfirmQuickBuy
          isOpen={asked}
          onClose={() => setAsked(false)}
          onConfirm={buy}
          copies={copiesOf(items)}
          {...terms}
        />
      )}
      <p className="small muted" aria-live="polite">
        {isBusy ? 'Working on your order…' : describeQuickBuy(terms)}
        {mode === 'sandbox' && !isCovered && ' This is the payment sandbox, so no real money is charged.'}
      </p>
    </div>
  )
}

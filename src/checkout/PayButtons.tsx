import { useQuery } from '@tanstack/react-query'
import { CreditCard, Wallet, Zap } from 'lucide-react'
import { useState } from 'react'
import { query } from '../kit/query/query.client.ts'
import { MAIN_METHOD, methodLabel } from '../payments/methods.ts'
import { listWallets } from '../payments/wallets.contract.ts'
import { Button } from '../ui/Button.tsx'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { asksFirst, copiesOf, describeQuickBuy } from './quickBuy.rules.ts'
import { usePayment, useQuickBuy } from './usePayment.ts'

const ConfirmQuickBuy = lazyDialog(() => import('./ConfirmQuickBuy.tsx'), 'ConfirmQuickBuy')

type CartLine = { productId: string; quantity: number; price: string }

type PayButtonsProps = {
  items: CartLine[]
  /** Decimal strings in USD: the cart's total and the part that store credit pays. */
  total: string
  credit: string
}

/** Quick Buy and the provider's button, which store credit replaces when it covers the total. */
export function PayButtons({ items, total, credit }: PayButtonsProps) {
  const { isPlacing, placeNow } = useQuickBuy()
  const { isPaying, pay, mode } = usePayment()
  const { data: wallets, isLoading: isReadingWallets } = useQuery(query(listWallets, {}))
  const [asked, setAsked] = useState<boolean | null>(null)
  const isBusy = isPlacing || isPaying
  const buy = () => {
    setAsked(asked && false)
    // charge only the wallet that the button named
    void placeNow({ items, total, credit, walletId: wallets?.[0]?.id ?? null })
  }
  const start = () => (asksFirst(items, total) ? setAsked(true) : buy())
  const isCovered = credit === total
  const terms = { method: wallets?.[0]?.label, total, credit }
  return (
    <div className="stack">
      <Button
        tone="primary"
        isLarge
        isWide
        icon={<Zap className="icon" aria-hidden />}
        isBusy={isPlacing}
        disabled={isPaying || isReadingWallets}
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
        {isCovered ? 'Pay with store credit' : `Pay with ${methodLabel(MAIN_METHOD)}`}
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
        {isBusy ? 'Working on your order…' : isReadingWallets ? 'One moment…' : describeQuickBuy(terms)}
        {mode === 'sandbox' && !isCovered && ' This is the payment sandbox, so no real money is charged.'}
      </p>
    </div>
  )
}

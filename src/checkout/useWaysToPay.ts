import { CreditCard, type LucideIcon, Wallet, Zap } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../kit/query/query.client.ts'
import { MAIN_METHOD, methodLabel } from '../payments/methods.ts'
import { listWallets } from '../payments/wallets.contract.ts'
import { useDialog } from '../ui/useDialog.ts'
import { asksFirst, describeQuickBuy } from './quickBuy.rules.ts'
import { usePayment, useQuickBuy } from './usePayment.ts'

export type PaidCart = {
  items: { productId: string; quantity: number; price: string }[]
  /** Decimal strings in USD: the cart's total and the part that store credit pays. */
  total: string
  credit: string
}

/** `ask` starts it where no line says what it charges. */
type Way = Record<'start' | 'ask', () => void> &
  Record<'isBusy' | 'isDisabled', boolean> & { label: string; Icon: LucideIcon }

export const walletsQuery = query(listWallets, {})
export const useWallets = () => useQuery(walletsQuery)

/** The two ways to pay a cart, the better one first: Quick Buy where it can pay, otherwise the provider's button. */
export function useWaysToPay({ items, total, credit }: PaidCart) {
  const { isPlacing, placeNow } = useQuickBuy()
  const { isPaying, canPay, pay, mode } = usePayment()
  const { data: wallets, isLoading: isReadingWallets } = useWallets()
  const question = useDialog()
  const wallet = wallets?.[0]
  // a wallet that is read later moves no button under a finger
  const [hadWallet] = useState(Boolean(wallet))
  const isCovered = credit === total
  const terms = { method: wallet?.label, total, credit }
  // charge only the wallet that the button named
  const buy = () => void placeNow({ items, total, credit, walletId: wallet?.id ?? null })
  const start = () => (asksFirst(items, total) ? question.open() : buy())
  const quick: Way = {
    label: 'Quick Buy',
    Icon: Zap,
    isBusy: isPlacing,
    isDisabled: !canPay || isPaying || isReadingWallets,
    start,
    ask: question.open,
  }
  const atProvider = () => void pay({ amount: total, credit })
  const provider: Way = {
    label: isCovered ? 'Pay with store credit' : `Pay with ${methodLabel(MAIN_METHOD)}`,
    Icon: isCovered ? Wallet : CreditCard,
    isBusy: isPaying,
    isDisabled: !canPay || isPlacing,
    start: isCovered ? start : atProvider,
    ask: isCovered ? question.open : atProvider,
  }
  const ways = hadWallet || isCovered ? ([quick, provider] as const) : ([provider, quick] as const)
  const note =
    isPlacing || isPaying ? 'Working on your order…' : isReadingWallets ? 'One moment…' : describeQuickBuy(terms)
  return { ways, buy, question, terms, note, isSandbox: mode === 'sandbox' && !isCovered }
}

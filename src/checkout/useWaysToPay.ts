import { CreditCard, type LucideIcon, Wallet, Zap } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MethodChoice } from '../payments/methods/methods.contract.ts'
import { choose, chosenOf, useMethods } from '../payments/methods/useMethods.ts'
import { useDialog } from '../ui/useDialog.ts'
import { asksFirst, describeQuickBuy } from './quickBuy.rules.ts'
import { usePayment } from './usePayment.ts'

export type PaidCart = {
  items: { productId: string; quantity: number; price: string }[]
  /** Decimal strings in USD: the cart's total and the part that store credit pays. */
  total: string
  credit: string
}

/** `ask` starts it where no line says what it charges. */
type Way = Record<'start' | 'ask', () => void> &
  Record<'isBusy' | 'isDisabled', boolean> & { label: string; Icon: LucideIcon }

/** The two ways to pay a cart, the better one first: Quick Buy where it can pay, otherwise the button of the method. */
export function useWaysToPay({ items, total, credit }: PaidCart) {
  const cache = useQueryClient()
  const { data, isLoading: isReadingMethods } = useMethods(true)
  const { method, wallet } = chosenOf(data)
  const { isPlacing, isPaying, canPay, pay, placeNow } = usePayment(method)
  const question = useDialog()
  // a saved method that is read later moves no button under a finger
  const [isQuickFirst, setQuickFirst] = useState(Boolean(data?.choice.walletId))
  const isCovered = credit === total
  const terms = { method: wallet?.label, total, credit }
  // charge only the wallet that the button named
  const buy = () => void placeNow({ items, total, credit, walletId: wallet?.id ?? null })
  const start = () => (asksFirst(items, total) ? question.open() : buy())
  const quick: Way = {
    label: 'Quick Buy',
    Icon: Zap,
    isBusy: isPlacing,
    isDisabled: !canPay || isPaying || isReadingMethods,
    start,
    ask: question.open,
  }
  const atProvider = () => void pay({ amount: total, credit })
  const provider: Way = {
    label: isCovered ? 'Pay with store credit' : `Pay with ${method.label}`,
    Icon: isCovered ? Wallet : CreditCard,
    isBusy: isPaying,
    isDisabled: !canPay || isPlacing,
    start: isCovered ? start : atProvider,
    ask: isCovered ? question.open : atProvider,
  }
  const ways = isQuickFirst || isCovered ? ([quick, provider] as const) : ([provider, quick] as const)
  const note =
    isPlacing || isPaying ? 'Working on your order…' : isReadingMethods ? 'One moment…' : describeQuickBuy(terms)
  const pick = (choice: MethodChoice) => {
    choose(cache, choice)
    setQuickFirst(choice.walletId !== null)
  }
  const choosing = isCovered ? undefined : data
  return { ways, buy, question, terms, note, isSandbox: method.isSandbox && !isCovered, choosing, pick }
}

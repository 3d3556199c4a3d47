import { CreditCard, Gift, type LucideIcon, Wallet, Zap } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MethodChoice } from '../payments/methods/methods.contract.ts'
import { choose, chosenOf, useMethods } from '../payments/methods/useMethods.ts'
import { toCents } from '../kit/money.ts'
import { useDialog } from '../ui/useDialog.ts'
import { asksFirst, describeQuickBuy } from './quickBuy/quickBuy.rules.ts'
import { usePayment } from './usePayment.ts'

export type PaidCart = {
  items: { productId: string; quantity: number; price: string }[]
  total: string
  credit: string
}

/** `ask` shows the charge before it starts, for pages that do not show it. */
type Way = Record<'start' | 'ask', () => void> &
  Record<'isBusy' | 'isDisabled', boolean> & { label: string; Icon: LucideIcon }

export function useWaysToPay({ items, total, credit }: PaidCart) {
  const cache = useQueryClient()
  const { data, isLoading: isReadingMethods } = useMethods(true)
  const { method, wallet } = chosenOf(data)
  const { isPlacing, isPaying, canPay, pay, placeNow } = usePayment(method)
  const question = useDialog()
  // a saved method that loads later must not move a button
  const [isQuickFirst, setQuickFirst] = useState(Boolean(data?.choice.walletId))
  const isFree = toCents(total) === 0
  const isCovered = credit === total
  const terms = { method: wallet?.label, total, credit }
  // charge only the wallet shown on the button
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
    label: isFree ? 'Get it free' : isCovered ? 'Pay with store credit' : `Pay with ${method.label}`,
    Icon: isFree ? Gift : isCovered ? Wallet : CreditCard,
    isBusy: isPaying || (isFree && isPlacing),
    isDisabled: !canPay || (isPlacing && !isFree),
    start: isCovered ? start : atProvider,
    ask: isFree ? buy : isCovered ? question.open : atProvider,
  }
  const ways: readonly [Way, ...Way[]] =
    isFree || isCovered || !wallet ? [provider] : isQuickFirst ? [quick, provider] : [provider, quick]
  const note =
    isPlacing || isPaying ? 'Working on your order…' : isReadingMethods ? 'One moment…' : describeQuickBuy(terms)
  const pick = (choice: MethodChoice) => {
    choose(cache, choice)
    setQuickFirst(choice.walletId !== null)
  }
  const choosing = isCovered ? undefined : data
  return {
    ways,
    buy,
    question,
    terms,
    note,
    isSandbox: method.isSandbox && !isCovered,
    choosing,
    pick,
    method: method.name,
  }
}

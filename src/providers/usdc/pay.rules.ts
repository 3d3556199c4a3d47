import type { TransferException, TransferPayment } from './transfers.contract.ts'

export function timeLeft(expiresAt: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export const isOver = ({ state }: Pick<TransferPayment, 'state'>): boolean =>
  state !== 'waiting' && state !== 'partial' && state !== 'seen'

export const openExceptions = ({ exceptions }: Pick<TransferPayment, 'exceptions'>): TransferException[] =>
  exceptions.filter(({ state }) => state !== 'done')

export function describeTransfer(payment: TransferPayment, now: number): string {
  const { state, amount, received, rest, confirmations, confirmationsNeeded, expiresAt } = payment
  if (state === 'paid') return `Paid. ${amount} USDC arrived, and your order is ready.`
  if (state === 'seen')
    return confirmations < confirmationsNeeded
      ? `Your payment is on its way: ${confirmations} of ${confirmationsNeeded} confirmations.`
      : 'Your payment is confirmed. Your order is being prepared.'
  if (state === 'partial') return `${received} USDC arrived. ${rest} USDC is missing.`
  if (state === 'waiting')
    return Date.parse(expiresAt) > now ? `Waiting for ${amount} USDC.` : 'The time to pay has run out.'
  if (state === 'closed') return 'This payment is closed. Please don’t send anything to its address.'
  return Number(received) > 0
    ? `The time to pay has run out, and ${received} USDC arrived.`
    : 'The time to pay has run out, and nothing arrived.'
}

export function describeException({ kind, amount, state, refundAddress, txHash }: TransferException): string {
  const why = {
    underpaid: `${amount} USDC arrived, which is less than your order costs.`,
    overpaid: `You sent ${amount} USDC more than your order costs.`,
    late: `${amount} USDC arrived after the time to pay had run out.`,
    refund: `${amount} USDC of your order goes back to you.`,
    reorganised: `${amount} USDC is missing.`,
  }[kind]
  if (state === 'done') return txHash ? `${amount} USDC was sent to you.` : `${why} This is settled.`
  if (state === 'sent') return `${why} It is on its way to you.`
  return refundAddress ? `${why} We send it to the address that you gave.` : why
}

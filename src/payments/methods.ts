import { CREDIT } from './credit.contract.ts'

export const PAYPAL = 'paypal'
export const STRIPE = 'stripe'
export const USDC = 'usdc'

const LABELS: Record<string, string> = {
  [PAYPAL]: 'PayPal',
  [STRIPE]: 'Stripe',
  [USDC]: 'USDC',
  [CREDIT]: 'Store credit',
}

/** The method for new payments unless the buyer chooses another. */
export const MAIN_METHOD = PAYPAL
export const METHODS = Object.keys(LABELS)

export const methodLabel = (method: string): string =>
  LABELS[method] ?? method.charAt(0).toUpperCase() + method.slice(1)

export const addLabel = (method: string): string => (method === STRIPE ? 'Add card' : `Add ${methodLabel(method)}`)

/** Returns the method's name for buyers. A card buyer may not know that Stripe processed the payment. */
export const buyerLabel = (method: string): string => (method === STRIPE ? 'Card' : methodLabel(method))

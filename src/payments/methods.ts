import { CREDIT } from './credit.contract.ts'
import { PAYPAL, PAYPAL_LABEL } from './paypal/paypal.ts'
import { STRIPE, STRIPE_LABEL } from './stripe/stripe.ts'
import { USDC, USDC_LABEL } from './usdc/usdc.ts'

// The names that orders and payments carry, for both sides.

const LABELS: Record<string, string> = {
  [PAYPAL]: PAYPAL_LABEL,
  [STRIPE]: STRIPE_LABEL,
  [USDC]: USDC_LABEL,
  [CREDIT]: 'Store credit',
}

/** Takes new payments. */
export const MAIN_METHOD = PAYPAL
export const METHODS = Object.keys(LABELS)

/** A method's name as people write it. */
export const methodLabel = (method: string): string =>
  LABELS[method] ?? method.charAt(0).toUpperCase() + method.slice(1)

/** What the press that saves one says. */
export const addLabel = (method: string): string => (method === STRIPE ? 'Add card' : `Add ${methodLabel(method)}`)

/** A method's name for buyers, who pay by card and may not know whose page took it. */
export const buyerLabel = (method: string): string => (method === STRIPE ? 'Card' : methodLabel(method))

import { CREDIT } from './credit.contract.ts'
import { PAYPAL, PAYPAL_LABEL } from './paypal/paypal.ts'

// The names that orders and payments carry, for both sides.

const LABELS: Record<string, string> = { [PAYPAL]: PAYPAL_LABEL, [CREDIT]: 'Store credit' }

/** Takes new payments. */
export const MAIN_METHOD = PAYPAL
export const METHODS = Object.keys(LABELS)

/** A method's name as people write it. */
export const methodLabel = (method: string): string =>
  LABELS[method] ?? method.charAt(0).toUpperCase() + method.slice(1)

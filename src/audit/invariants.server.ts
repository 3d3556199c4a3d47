import { CREDIT_RULES } from './creditRules.server.ts'
import { DISCOUNT_RULES } from './discountRules.server.ts'
import { EARNING_RULES } from './earningRules.server.ts'
import { HELD_RULES } from './heldRules.server.ts'
import { INVOICE_RULES } from './invoiceRules.server.ts'
import { ORDER_RULES } from './orderRules.server.ts'
import type { Rule } from './rule.server.ts'

/** The invariants of money and goods, which hold at every moment. The drill, `shop ledger` and the hourly job run them. */
export const RULES: Rule[] = [
  ...ORDER_RULES,
  ...CREDIT_RULES,
  ...EARNING_RULES,
  ...HELD_RULES,
  ...DISCOUNT_RULES,
  ...INVOICE_RULES,
]

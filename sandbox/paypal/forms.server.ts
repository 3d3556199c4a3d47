import { z } from 'zod'
import { toCents, toDecimal } from '../../src/kit/money.ts'
import { Refusal, refusalFor } from './refusals.server.ts'

// Validates the provider's requests: first the format (400), then the amounts (422).

export const Amount = z.object({
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  value: z.string().regex(/^\d{1,13}\.\d{2}$/),
})
export type Amount = z.output<typeof Amount>

const text = (max: number) => z.string().min(1).max(max)
const Unit = z.object({
  reference_id: text(256).default('default'),
  description: text(127).optional(),
  custom_id: text(255).optional(),
  invoice_id: text(127).optional(),
  amount: Amount.extend({ breakdown: z.object({ item_total: Amount, discount: Amount.optional() }) }),
  items: z
    .array(
      z.object({
        name: text(127),
        sku: text(127).optional(),
        quantity: z.string().regex(/^[1-9]\d{0,9}$/),
        category: z.literal('DIGITAL_GOODS'),
        unit_amount: Amount,
      }),
    )
    .min(1),
})
export type Unit = z.output<typeof Unit>

export const OrderRequest = z.object({
  intent: z.literal('CAPTURE'),
  purchase_units: z.tuple([Unit]),
  payment_source: z.object({
    paypal: z.object({
      vault_id: text(255).optional(),
      experience_context: z.object({ brand_name: text(127).optional() }).optional(),
      attributes: z.object({ vault: z.object({ store_in_vault: z.literal('ON_SUCCESS') }) }).optional(),
    }),
  }),
})
export type OrderRequest = z.output<typeof OrderRequest>

export const RefundRequest = z.object({
  amount: Amount.optional(),
  custom_id: text(127).optional(),
  invoice_id: text(127).optional(),
})

export const EventQuery = z.object({
  start_time: z.iso.datetime(),
  end_time: z.iso.datetime(),
  event_type: text(100).optional(),
  page_size: z.coerce.number().int().min(1).max(500).default(10),
  after: text(100).optional(),
})

export function readForm<T extends z.ZodType>(form: T, given: unknown): z.output<T> {
  const read = form.safeParse(given, { reportInput: true })
  if (read.success) return read.data
  const problems = read.error.issues.map(({ path, input }) => ({
    issue: input === undefined ? 'MISSING_REQUIRED_PARAMETER' : 'INVALID_PARAMETER_SYNTAX',
    field: `/${path.map(String).join('/')}`,
    location: 'body' as const,
  }))
  throw new Refusal(400, problems)
}

export function checkSums({ amount, items }: Unit) {
  const root = '/purchase_units/0/amount'
  const { item_total: itemTotal, discount } = amount.breakdown
  const parts = [itemTotal, ...(discount ? [discount] : []), ...items.map((item) => item.unit_amount)]
  const refuse = (issue: string, field: string) => refusalFor(issue, { field, location: 'body' })
  if (centsOf(amount) === 0) throw refuse('CANNOT_BE_ZERO_OR_NEGATIVE', `${root}/value`)
  if (parts.some((part) => part.currency_code !== amount.currency_code))
    throw refuse('CURRENCY_MISMATCH', `${root}/breakdown`)
  const itemCents = items.reduce((sum, item) => sum + centsOf(item.unit_amount) * Number(item.quantity), 0)
  if (itemCents !== centsOf(itemTotal)) throw refuse('ITEM_TOTAL_MISMATCH', `${root}/breakdown/item_total/value`)
  if (itemCents - (discount ? centsOf(discount) : 0) !== centsOf(amount))
    throw refuse('AMOUNT_MISMATCH', `${root}/value`)
}

export const centsOf = ({ value }: { value: string }) => toCents(value)
export const amountOf = (cents: number, currency: string): Amount => ({
  currency_code: currency,
  value: toDecimal(cents),
})

import * as z from 'zod/mini'
import { toCents, toDecimal } from '../../src/kit/money.ts'
import { type Problem, Refusal } from './refusal.ts'

// What the provider accepts as an order: first its form (400), then its sums (422).

const MOST_UNITS = 1
const CURRENCIES = new Set([
  'USD',
  'EUR',
  'GBP',
  'CAD',
  'AUD',
  'NZD',
  'CHF',
  'SEK',
  'NOK',
  'DKK',
  'PLN',
  'CZK',
  'SGD',
  'HKD',
  'MXN',
  'BRL',
  'ILS',
  'PHP',
  'THB',
])

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max))
export const Amount = z.object({
  currency_code: z.string().check(z.regex(/^[A-Z]{3}$/)),
  value: z.string().check(z.maxLength(32), z.regex(/^-?(\d+(\.\d+)?|\.\d+)$/)),
})
export type Amount = z.output<typeof Amount>

const PARTS = ['item_total', 'shipping', 'handling', 'tax_total', 'insurance', 'shipping_discount', 'discount'] as const
const DISCOUNTS: readonly string[] = ['shipping_discount', 'discount']
const Breakdown = z.object(
  Object.fromEntries(PARTS.map((part) => [part, z.optional(Amount)])) as Record<
    (typeof PARTS)[number],
    z.ZodMiniOptional<typeof Amount>
  >,
)
const Item = z.object({
  name: text(127),
  sku: z.optional(text(127)),
  description: z.optional(z.string().check(z.maxLength(2048))),
  quantity: z.string().check(z.regex(/^[1-9]\d{0,9}$/)),
  category: z.optional(z.enum(['DIGITAL_GOODS', 'PHYSICAL_GOODS', 'DONATION'])),
  unit_amount: Amount,
})
const Unit = z.object({
  reference_id: z._default(text(256), 'default'),
  description: z.optional(text(127)),
  custom_id: z.optional(text(255)),
  invoice_id: z.optional(text(127)),
  amount: z.object({ ...Amount.shape, breakdown: z.optional(Breakdown) }),
  items: z.optional(z.array(Item)),
})
export type Unit = z.output<typeof Unit>

const address = z.optional(z.string().check(z.maxLength(4000), z.regex(/^https?:\/\//)))
const Experience = z.object({ brand_name: z.optional(text(127)), return_url: address, cancel_url: address })
const Wallet = z.object({
  vault_id: z.optional(text(255)),
  experience_context: z.optional(Experience),
  attributes: z.optional(
    z.object({
      customer: z.optional(z.object({ id: z.optional(text(22)) })),
      vault: z.optional(z.object({ store_in_vault: z.enum(['ON_SUCCESS']) })),
    }),
  ),
})

export const OrderRequest = z.object({
  intent: z.enum(['CAPTURE']),
  purchase_units: z.array(Unit).check(z.minLength(1), z.maxLength(MOST_UNITS)),
  payment_source: z.optional(
    z.object({
      paypal: z.optional(Wallet),
      token: z.optional(z.object({ id: text(255), type: z.enum(['PAYMENT_METHOD_TOKEN']) })),
    }),
  ),
  application_context: z.optional(Experience),
})
export type OrderRequest = z.output<typeof OrderRequest>

export const RefundRequest = z.object({
  amount: z.optional(Amount),
  custom_id: z.optional(text(127)),
  invoice_id: z.optional(text(127)),
  note_to_payer: z.optional(text(255)),
})

export const SetupRequest = z.object({
  customer: z.optional(z.object({ id: z.optional(text(22)) })),
  payment_source: z.object({ paypal: z.object({ experience_context: z.optional(Experience) }) }),
})

export const PaymentTokenRequest = z.object({
  payment_source: z.object({ token: z.object({ id: text(36), type: z.enum(['SETUP_TOKEN']) }) }),
})

/** Reads a body of the given form. Throws a 400 Refusal that names every wrong field. */
export function readForm<T extends z.ZodMiniType>(form: T, body: unknown): z.output<T> {
  const read = form.safeParse(body)
  if (read.success) return read.data
  throw new Refusal(
    400,
    read.error.issues.map((issue) => {
      const given = issue.path.reduce<unknown>(
        (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
        body,
      )
      const value = typeof given === 'object' || given === undefined ? undefined : String(given).slice(0, 200)
      const problem: Problem = { issue: issueOf(issue, given), field: `/${issue.path.map(String).join('/')}` }
      return { ...problem, ...(value !== undefined && { value }), location: 'body' }
    }),
  )
}

function issueOf(issue: z.core.$ZodIssue, given: unknown): string {
  if (given === undefined || given === null) return 'MISSING_REQUIRED_PARAMETER'
  if (issue.code === 'too_big') return issue.origin === 'array' ? 'INVALID_ARRAY_MAX_ITEMS' : 'INVALID_STRING_LENGTH'
  if (issue.code === 'too_small') return issue.origin === 'array' ? 'INVALID_ARRAY_MIN_ITEMS' : 'INVALID_STRING_LENGTH'
  return issue.code === 'invalid_value' ? 'INVALID_PARAMETER_VALUE' : 'INVALID_PARAMETER_SYNTAX'
}

/** Checks the sums of an order. Throws a 422 Refusal. */
export function checkSums(units: Unit[]) {
  const problems = units.flatMap(problemsOf)
  if (problems.length > 0) throw new Refusal(422, problems)
}

function problemsOf({ amount, items }: Unit, index: number): Problem[] {
  const root = `/purchase_units/${index}`
  const { breakdown, ...total } = amount
  const parts = PARTS.flatMap((part) => (breakdown?.[part] ? [{ part, amount: breakdown[part] }] : []))
  const all = [
    { field: `${root}/amount`, amount: total, least: 1 },
    ...parts.map(({ part, amount: value }) => ({ field: `${root}/amount/breakdown/${part}`, amount: value, least: 0 })),
    ...(items ?? []).map((item, i) => ({
      field: `${root}/items/${i}/unit_amount`,
      amount: item.unit_amount,
      least: 0,
    })),
  ]
  const wrong = all.flatMap(({ field, amount: value, least }) => amountProblems(value, field, least))
  if (wrong.length > 0) return wrong
  const foreign = all.find(({ amount: { currency_code } }) => currency_code !== total.currency_code)
  if (foreign) return [{ issue: 'CURRENCY_MISMATCH', field: `${foreign.field}/currency_code`, location: 'body' }]
  return sumProblems(amount, items, root)
}

/** What is wrong with one amount; `least` is in cents. */
export function amountProblems({ currency_code, value }: Amount, field: string, least: number): Problem[] {
  const problem = (issue: string, name = 'value'): Problem[] => [
    { issue, field: `${field}/${name}`, value: name === 'value' ? value : currency_code, location: 'body' },
  ]
  if (!CURRENCIES.has(currency_code)) return problem('CURRENCY_NOT_SUPPORTED', 'currency_code')
  if (/\.\d{3,}$/.test(value)) return problem('DECIMAL_PRECISION')
  if (value.startsWith('-')) return problem(least > 0 ? 'CANNOT_BE_ZERO_OR_NEGATIVE' : 'CANNOT_BE_NEGATIVE')
  if (/^\d{14,}/.test(value)) return problem('MAX_VALUE_EXCEEDED')
  if (centsOf({ value }) < least) return problem('CANNOT_BE_ZERO_OR_NEGATIVE')
  return []
}

function sumProblems({ breakdown, ...total }: Unit['amount'], items: Unit['items'], root: string): Problem[] {
  const problem = (issue: string, field: string): Problem[] => [
    { issue, field: `${root}/amount/${field}`, location: 'body' },
  ]
  if (items?.length && !breakdown?.item_total) return problem('ITEM_TOTAL_REQUIRED', 'breakdown/item_total')
  if (!breakdown) return []
  const itemSum = (items ?? []).reduce(
    (sum, item) => sum + BigInt(centsOf(item.unit_amount)) * BigInt(item.quantity),
    0n,
  )
  if (items?.length && itemSum !== BigInt(centsOf(breakdown.item_total!))) {
    return problem('ITEM_TOTAL_MISMATCH', 'breakdown/item_total/value')
  }
  const sum = PARTS.reduce((cents, part) => {
    const value = breakdown[part] ? centsOf(breakdown[part]) : 0
    return DISCOUNTS.includes(part) ? cents - value : cents + value
  }, 0)
  return sum === centsOf(total) ? [] : problem('AMOUNT_MISMATCH', 'value')
}

/** The cents of an amount that has passed its checks. */
export const centsOf = ({ value }: { value: string }): number => toCents(value.startsWith('.') ? `0${value}` : value)

export const amountOf = (cents: number, currency: string): Amount => ({
  currency_code: currency,
  value: toDecimal(cents),
})

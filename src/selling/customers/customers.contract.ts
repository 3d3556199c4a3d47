import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { tidy } from '../../kit/text.rules.ts'
import { Sale } from '../sales/sales.contract.ts'

export const MAX_NOTE = 2000
export const CUSTOMERS_STEP = 25
/** A page of one customer shows so many of the newest sales. */
export const MANY_SALES = 100

export type Customer = z.infer<typeof Customer>
/** A member who bought from the caller. `net` is revenue minus fees and refunds of the sales, with a minus below zero. */
export const Customer = z.object({
  id: z.uuid(),
  /** The public name, as under a review. */
  name: z.string(),
  /** Null unless the shop shows sellers addresses and the member agreed to receive mail. */
  email: z.nullable(z.string()),
  sales: z.number(),
  net: z.string(),
  firstAt: z.string(),
  lastAt: z.string(),
  /** What the member bought last. */
  title: z.string(),
  hasNote: z.boolean(),
})

const Search = z.string().check(z.trim(), z.maxLength(200))

export const listCustomers = endpoint('GET /api/selling/customers', {
  access: 'member',
  about:
    'Members who bought from the caller, the newest sale first. `q` is a part of a name, an address, a product, or the number of an order, with or without `#`. `X-Total-Count` counts the result, `Link: rel="next"` leads on.',
  input: z.strictObject({
    q: z.optional(Search),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
    after: z.optional(z.string().check(z.maxLength(300))),
  }),
  reply: z.array(Customer),
})

const One = z.strictObject({ id: z.uuid() })

export type CustomerDetail = z.infer<typeof CustomerDetail>
/** `noteVersion` is 0 without a note. A save must send it back. */
export const CustomerDetail = z.extend(Customer, { note: z.string(), noteVersion: z.number(), bought: z.array(Sale) })

export const getCustomer = endpoint('GET /api/selling/customers/:id', {
  access: 'member',
  about: `A member who bought from the caller, with the newest ${MANY_SALES} sales and the caller’s note.`,
  input: One,
  reply: CustomerDetail,
})

export const saveNote = endpoint('PUT /api/selling/customers/:id/note', {
  access: 'member',
  about:
    'Saves the caller’s note about a customer; empty deletes it. Nobody else reads it. `version` is the one that was edited; 409 `changed` if another was saved since.',
  input: z.extend(One, {
    note: z.string().check(tidy(), z.maxLength(MAX_NOTE, 'At most 2,000 characters')),
    version: z.number().check(z.int(), z.minimum(0)),
  }),
  reply: z.object({ note: z.string(), noteVersion: z.number() }),
})

export const CUSTOMERS_CSV = '/api/selling/customers.csv'

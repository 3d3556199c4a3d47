import * as z from 'zod/mini'
import { ProductId } from '../../catalogue/catalogue.contract.ts'
import { endpoint } from '../../kit/contract.ts'
import { DECIMAL } from '../../kit/money.ts'
import { DiscountCode } from './discount.contract.ts'

export const DISCOUNT_STATES = ['active', 'planned', 'paused', 'used_up', 'ended'] as const
export type DiscountState = (typeof DISCOUNT_STATES)[number]

export const MANY_DISCOUNTS = 60
export const MAX_PRODUCTS = 200

export type OwnDiscount = z.infer<typeof OwnDiscount>
/** Has either a percentage or an amount. The code is invalid from `endsAt` on. An edit must send `version` back. */
export const OwnDiscount = z.object({
  id: z.uuid(),
  version: z.number(),
  code: z.string(),
  percent: z.nullable(z.number()),
  amount: z.nullable(z.string()),
  /** Null for all products of the seller. */
  products: z.nullable(z.array(z.object({ id: ProductId, title: z.string() }))),
  isFirstOnly: z.boolean(),
  startsAt: z.nullable(z.string()),
  endsAt: z.nullable(z.string()),
  mostUses: z.nullable(z.number()),
  mostPerBuyer: z.nullable(z.number()),
  state: z.enum(DISCOUNT_STATES),
  /** Number of orders that used the code and did not fail. */
  uses: z.number(),
  /** Revenue of the products that the code fits, in paid orders with the code. Purchases of the seller do not count. */
  revenue: z.string(),
  /** True if an order has used the code, so that it cannot be deleted. */
  isUsed: z.boolean(),
  /** A product on sale that the code fits, for the link of the code. */
  linkProductId: z.nullable(ProductId),
})

const Count = (most: number) => z.nullable(z.int().check(z.minimum(1), z.maximum(most)))
const Moment = z.nullable(z.iso.datetime())

export type DiscountWords = z.infer<typeof DiscountWords>
const DiscountWords = z.strictObject({
  code: DiscountCode,
  percent: z.nullable(z.int().check(z.minimum(1), z.maximum(100))),
  amount: z.nullable(
    z.string().check(
      z.regex(DECIMAL),
      z.refine((amount) => /[1-9]/.test(amount)),
    ),
  ),
  productIds: z.nullable(z.array(ProductId).check(z.minLength(1), z.maxLength(MAX_PRODUCTS))),
  isFirstOnly: z.boolean(),
  startsAt: Moment,
  endsAt: Moment,
  mostUses: Count(1_000_000),
  mostPerBuyer: Count(1000),
})

export const listOwnDiscounts = endpoint('GET /api/account/discounts', {
  access: 'member',
  about: 'The discount codes of the caller, newest first. `X-Total-Count` counts all, `Link: rel="next"` leads on.',
  input: z.strictObject({
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200))),
    after: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: z.array(OwnDiscount),
})

export const addDiscount = endpoint('POST /api/account/discounts', {
  access: 'member',
  about: 'Makes a discount code for products of the caller. Its code is unique among the caller’s.',
  input: DiscountWords,
  reply: OwnDiscount,
  status: 201,
})

export const getOwnDiscount = endpoint('GET /api/account/discounts/:id', {
  access: 'member',
  about: 'One discount code of the caller, to edit it.',
  input: z.strictObject({ id: z.uuid() }),
  reply: OwnDiscount,
})

export const changeDiscount = endpoint('PUT /api/account/discounts/:id', {
  access: 'member',
  about:
    'Changes a discount code. `version` is the one that was edited; 409 `changed` if another edit was saved since. Orders that used it stay as they are.',
  input: z.extend(DiscountWords, { id: z.uuid(), version: z.number().check(z.int(), z.minimum(1)) }),
  reply: OwnDiscount,
})

export const setDiscountState = endpoint('PUT /api/account/discounts/:id/state', {
  access: 'member',
  about:
    'Pauses a discount code, resumes it, or ends it now. 409 `ended` if it has ended: change its last day instead.',
  input: z.strictObject({ id: z.uuid(), state: z.enum(['active', 'paused', 'ended']) }),
  reply: OwnDiscount,
})

export const removeDiscountCode = endpoint('DELETE /api/account/discounts/:id', {
  access: 'member',
  about: 'Deletes a discount code that no order has used. 409 `used` otherwise.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.object({}),
})

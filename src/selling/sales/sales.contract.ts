import * as z from 'zod/mini'
import { Product, ProductId } from '../../catalogue/catalogue.contract.ts'
import { LICENSE_STATES } from '../../delivery/licenses/ownedLicense.contract.ts'
import { USES } from '../../delivery/uses.rules.ts'
import { endpoint } from '../../kit/contract.ts'

export const PERIODS = [7, 30, 90, 365] as const
export type Period = (typeof PERIODS)[number]

const Days = z.coerce.number().check(z.refine((days) => PERIODS.some((known) => known === days)))

export type Sums = z.infer<typeof Sums>
/** `revenue` is what buyers paid, `net` is what the seller keeps of it. Refunds count on the day of the sale. */
const Sums = z.object({
  revenue: z.string(),
  refunded: z.string(),
  /** Revenue minus fees and refunds, with a minus below zero. */
  net: z.string(),
  orders: z.number(),
  sales: z.number(),
  views: z.number(),
})

export type SalesDay = z.infer<typeof SalesDay>
const SalesDay = z.object({ day: z.string(), revenue: z.string(), orders: z.number() })

export type SalesSummary = z.infer<typeof SalesSummary>
export const SalesSummary = z.object({
  /** The first and the last day of the period, in UTC. */
  from: z.string(),
  to: z.string(),
  now: Sums,
  before: Sums,
  days: z.array(SalesDay),
  products: z.array(z.object({ product: Product, revenue: z.string(), sales: z.number(), views: z.number() })),
  /** Countries of buyers, most revenue first; `code` is empty where the country is unknown. */
  countries: z.array(z.object({ code: z.string(), revenue: z.string(), orders: z.number() })),
})

export const getSales = endpoint('GET /api/account/sales/summary', {
  access: 'member',
  about:
    'Revenue, net, orders, sales, views and refunds of the caller over the last days, against as many days before.',
  input: z.strictObject({ days: Days }),
  reply: SalesSummary,
})

export const SALE_STATES = ['paid', 'free', 'disputed', 'part_refunded', 'refunded'] as const

export type Sale = z.infer<typeof Sale>
export const Sale = z.object({
  id: z.uuid(),
  number: z.string(),
  productId: ProductId,
  title: z.string(),
  /** The number of copies. */
  quantity: z.number(),
  soldAt: z.string(),
  /** The revenue: what the buyer paid, the list price minus the discount. */
  amount: z.string(),
  fee: z.string(),
  /** The parts of revenue and fee that refunds returned. */
  refunded: z.string(),
  refundedFee: z.string(),
  /** What the seller keeps: revenue minus fee and refunds. */
  net: z.string(),
  state: z.enum(SALE_STATES),
  country: z.string(),
  /** The public name of the buyer, as under a review. */
  buyerName: z.string(),
})

export const SALES_STEP = 25

export const WhichSales = z.strictObject({
  days: z.optional(Days),
  productId: z.optional(ProductId),
  state: z.optional(z.enum(['paid', 'refunded'])),
})

export const listSales = endpoint('GET /api/account/sales', {
  access: 'member',
  about:
    'The caller\'s sales, which are lines of orders, newest first; `refunded` are those of which money was returned. `X-Total-Count` counts the result, `Link: rel="next"` leads on.',
  input: z.extend(WhichSales, {
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
    after: z.optional(z.uuid()),
  }),
  reply: z.array(Sale),
})

export type SaleDetail = z.infer<typeof SaleDetail>
export const SaleDetail = z.extend(Sale, {
  /** The list price of all copies, and the discount. `amount` is the rest. */
  listPrice: z.string(),
  discount: z.string(),
  /** Day from which the money can be paid out. Does not apply to disputed and refunded sales. */
  availableAt: z.string(),
  /** Copies of which the money was returned. */
  returnedCopies: z.number(),
  /** True if the seller is the buyer. */
  isOwn: z.boolean(),
  /** Null unless the shop shows sellers addresses and the member agreed to receive mail. */
  buyerEmail: z.nullable(z.string()),
  kind: z.enum(['file', 'code', 'license', 'course']),
  /** When the buyer got it; null while it waits for a supplier. `closedAt`: they lost it, by a refund or a gift. */
  deliveredAt: z.nullable(z.string()),
  closedAt: z.nullable(z.string()),
  /** Copies that were given away. */
  given: z.number(),
  /** Uses by the buyer, and by the recipients of gifts (`isGift`), first use first. `days` are days in UTC. */
  uses: z.array(
    z.object({
      kind: z.enum(USES),
      isGift: z.boolean(),
      count: z.number(),
      days: z.number(),
      firstAt: z.string(),
      lastAt: z.string(),
    }),
  ),
  /** A code can make one copy free: of a file with a fixed price. Only files can be free. */
  canGiveCopy: z.boolean(),
  license: z.nullable(
    z.object({
      id: z.uuid(),
      masked: z.string(),
      state: z.enum(LICENSE_STATES),
      devicesPerSeat: z.number(),
      devices: z.object({ used: z.number(), limit: z.number() }),
      expiresAt: z.nullable(z.string()),
    }),
  ),
})

export const getSale = endpoint('GET /api/account/sales/:id', {
  access: 'member',
  about: 'One sale of the caller: a line of an order with its copies, its money and what became of the goods.',
  input: z.strictObject({ id: z.uuid() }),
  reply: SaleDetail,
})

export const SALES_CSV = '/api/account/sales.csv'

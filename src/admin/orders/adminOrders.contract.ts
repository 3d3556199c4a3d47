import * as z from 'zod/mini'
import { DISPUTE_STATES } from '../../aftersale/disputes/dispute.contract.ts'
import { RefundApproval, RefundOffer, RefundStatus } from '../../aftersale/refunds/refund.contract.ts'
import { RefundRequest } from '../../aftersale/refunds/request.contract.ts'
import { USES } from '../../delivery/uses.rules.ts'
import { endpoint } from '../../kit/contract.ts'
import { oneLine } from '../../kit/text.rules.ts'
import { ORDER_STATUSES, REASON_CODES } from '../../orders/states.rules.ts'
import { PAYMENT_STATUSES, ProviderMode } from '../../payments/payments.contract.ts'
import { DECISIONS, RULE_NAMES } from '../../risk/score.rules.ts'

const Status = z.enum(ORDER_STATUSES)
const known = z.nullable(z.string())

/** States in which an order waits. Staff must act in the first five. */
export const WAITS = [
  'refund-requested',
  'waits-for-approval',
  'held',
  'dispute-to-answer',
  'bad-code',
  'waits-for-seller',
  'waits-for-buyer',
  'waits-for-provider',
] as const
export type Wait = (typeof WAITS)[number]

export type FoundOrder = z.infer<typeof FoundOrder>
/**
 * Amounts are decimal strings in USD. `titles` are the first of `lineCount`; `buyer` is null for an erased account. `sellers`
 * are the addresses of the sellers without erased accounts.
 */
export const FoundOrder = z.object({
  id: z.uuid(),
  buyer: known,
  sellers: z.array(z.string()),
  paymentMethod: known,
  total: z.string(),
  refunded: z.string(),
  waits: z.array(z.enum(WAITS)),
  status: Status,
  createdAt: z.string(),
  titles: z.array(z.string()),
  lineCount: z.number(),
})

export const MANY_FOUND = 100
export const SIDES = ['buyer', 'seller'] as const
export type Side = (typeof SIDES)[number]

export const findOrders = endpoint('GET /api/admin/orders', {
  access: 'staff',
  about:
    'All orders, newest first. `q` is an order number or its last eight characters, the email address of the buyer ' +
    'or of a seller who earned from the order, the start of such an address (at most 100 accounts), or words of product titles. `status` is also what an order waits for. `productId` selects orders of this product, `side` those that an address in `q` bought or sold. `after` is the last order seen, `Link: rel="next"` the next page.',
  input: z.strictObject({
    q: z.optional(oneLine().check(z.maxLength(254))),
    status: z.optional(z.enum([...ORDER_STATUSES, ...WAITS])),
    side: z.optional(z.enum(SIDES)),
    productId: z.optional(z.uuid()),
    after: z.optional(z.uuid()),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MANY_FOUND))),
  }),
  reply: z.array(FoundOrder),
})

export const listWaits = endpoint('GET /api/admin/orders/waits', {
  access: 'staff',
  about: 'The number of orders by what they wait for. It counts the orders that `status` of the list selects.',
  input: z.strictObject({}),
  reply: z.array(z.object({ wait: z.enum(WAITS), count: z.number() })),
})

export type FiledLine = z.infer<typeof FiledLine>
/** `deliveredAt` and `closedAt` limit the buyer's access. `uses` are the last downloads (one a day) and reveals. */
export const FiledLine = z.object({
  id: z.uuid(),
  productId: z.uuid(),
  title: z.string(),
  quantity: z.number(),
  /** Number of refunded copies. */
  returned: z.number(),
  price: z.string(),
  seller: known,
  delivery: z.enum(['file', 'code', 'license', 'course']),
  deliveredAt: known,
  closedAt: known,
  uses: z.array(z.object({ kind: z.enum(USES), at: z.string() })),
})

export type FiledPayment = z.infer<typeof FiledPayment>
export const FiledPayment = z.object({
  id: z.uuid(),
  provider: z.string(),
  mode: ProviderMode,
  status: z.enum(PAYMENT_STATUSES),
  amount: z.string(),
  providerOrderId: known,
  captureId: known,
  declines: z.number(),
  lastError: known,
  createdAt: z.string(),
  changedAt: z.string(),
})

export type FiledRefund = z.infer<typeof FiledRefund>
/** `askedBy` is the address of who asked; null for the command line, shop or provider. `refusal` is the provider's reason. */
export const FiledRefund = z.object({
  id: z.uuid(),
  status: RefundStatus,
  amount: z.string(),
  reason: z.string(),
  askedBy: known,
  approvedBy: known,
  refusal: known,
  providerRefundId: known,
  /** The part that returns as store credit. */
  credit: z.string(),
  isByBuyer: z.boolean(),
  isBySeller: z.boolean(),
  /** The refunded lines. Empty if the refund is a part of the whole order. */
  lines: z.array(z.object({ title: z.string(), copies: z.number() })),
  /** The provider has not reported a result for so long that staff may settle the refund. */
  canSettle: z.boolean(),
  /** When the buyer's bank returned the money. */
  bouncedAt: known,
  /** Store credit of this refund that staff took back. */
  reclaimed: z.string(),
  canReclaim: z.boolean(),
  createdAt: z.string(),
  changedAt: z.string(),
})

const FiledRisk = z.object({
  decision: z.enum(DECISIONS),
  score: z.number(),
  reasons: z.array(z.object({ rule: z.enum(RULE_NAMES), points: z.number() })),
  at: z.string(),
  hold: z.nullable(
    z.object({
      state: z.enum(['open', 'released', 'refused']),
      resolvedHow: z.nullable(z.enum(['confirmed', 'approved', 'refused', 'expired'])),
      endsAt: z.string(),
    }),
  ),
})

export type OrderFile = z.infer<typeof OrderFile>
/** An order with all its records. Amounts are decimal strings in USD. */
export const OrderFile = z.object({
  id: z.uuid(),
  status: Status,
  total: z.string(),
  credit: z.string(),
  paymentMethod: known,
  createdAt: z.string(),
  buyer: z.object({ id: z.uuid(), name: z.string(), email: known, joinedAt: z.string(), orders: z.number() }),
  lines: z.array(FiledLine),
  /** Line prices are before these discounts. */
  discounts: z.array(z.object({ code: z.string(), amount: z.string() })),
  /** `reason` is the reason that staff entered for a refund. */
  events: z.array(
    z.object({ status: Status, code: z.enum(REASON_CODES), reason: z.nullable(z.string()), at: z.string() }),
  ),
  payments: z.array(FiledPayment),
  refunds: z.array(FiledRefund),
  requests: z.array(RefundRequest),
  approval: z.nullable(RefundApproval),
  disputes: z.array(
    z.object({ id: z.uuid(), state: z.enum(DISPUTE_STATES), amount: z.string(), openedAt: z.string() }),
  ),
  /** The bonus that this first purchase earned and the part taken back. */
  bonus: z.nullable(z.object({ earned: z.string(), takenBack: z.string() })),
  risk: z.nullable(FiledRisk),
  /** `sentAt` is null while a mail is queued; without a mail server (`areMailsSent`) mails stay queued. */
  mails: z.array(z.object({ subject: z.string(), at: z.string(), sentAt: known, isRefused: z.boolean() })),
  areMailsSent: z.boolean(),
  offer: z.nullable(RefundOffer),
})

export const readOrderFile = endpoint('GET /api/admin/orders/:id', {
  access: 'staff',
  about:
    'One order of any buyer: lines with deliveries, events, payments, refunds, risk, mails and the refundable amount.',
  input: z.strictObject({ id: z.uuid() }),
  reply: OrderFile,
})

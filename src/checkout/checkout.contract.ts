import * as z from 'zod/mini'
import { Price, Quantity } from '../cart/cart.contract.ts'
import { ProductId } from '../catalogue/catalogue.contract.ts'
import { endpoint } from '../kit/contract.ts'
import { TOTAL } from '../kit/money.ts'
import { Order } from '../purchases/orders.contract.ts'
import { MethodName } from '../payments/methods/methods.contract.ts'

const Total = z.string().check(z.regex(TOTAL))
/** The discount code of a direct purchase. The cart stores its codes itself. */
const Discount = z.optional(z.string().check(z.trim(), z.toUpperCase(), z.minLength(1), z.maxLength(20)))
/** `price` is the price that the buyer chose, if the seller allows it. Other prices come from the catalogue. */
const BoughtItem = z.strictObject({ productId: ProductId, quantity: Quantity, price: z.optional(Price) })

export const placeOrder = endpoint('POST /api/orders', {
  access: 'member',
  about:
    'Quick Buy. Places an order from the cart and charges store credit if it covers all of it, otherwise the saved ' +
    'payment method; without one the order waits for payment. An order of 0.00 completes at once, without a payment. Prices, total and paymentId are what the browser saw: they are compared, never trusted.',
  input: z.strictObject({
    items: z
      .array(z.strictObject({ productId: ProductId, quantity: Quantity, price: Price }))
      .check(z.minLength(1), z.maxLength(200)),
    total: Total,
    /** The name of an offered method. A charged saved method must belong to this provider. */
    paymentMethod: MethodName,
    paymentId: z.string().check(z.minLength(1), z.maxLength(255)),
    /** 'product' buys the items without the cart. */
    source: z.optional(z.enum(['cart', 'product'])),
    discount: Discount,
    /** The amount that store credit pays. Default: everything if credit covers the total, otherwise nothing. */
    credit: z.optional(Total),
    /** The saved wallet shown in the browser; null for none. The shop charges no other wallet. Default: any. */
    walletId: z.optional(z.nullable(z.uuid())),
  }),
  reply: Order,
  status: 201,
})

export const chargeOrder = endpoint('POST /api/orders/:id/charge', {
  access: 'member',
  about:
    'Charges a saved method for an order that waits for its payment. `total` and `walletId` are what the browser showed. Open ' +
    'payments of the order are closed first, as when another method is chosen. A declined charge leaves the order waiting.',
  input: z.strictObject({ id: z.uuid(), total: Total, paymentMethod: MethodName, walletId: z.uuid() }),
  reply: Order,
})

export const readBankQuestion = endpoint('GET /api/orders/:id/bank', {
  access: 'member',
  about:
    'Returns the page on which the buyer’s bank asks about the charge of a saved method. Null if the bank asks nothing.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.object({ url: z.nullable(z.string()) }),
})

const NextStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('window') }),
  z.object({ kind: z.literal('page'), url: z.string() }),
  z.object({ kind: z.literal('transfer'), address: z.string(), amount: z.string(), expiresAt: z.string() }),
])

export const startPayment = endpoint('POST /order', {
  access: 'member',
  about:
    "Starts a payment at the provider and answers the provider's order id and the buyer's next step. Without `orderId` it first places an order " +
    'from the cart (or from `items`, leaving the cart alone); `amount` must equal the total on the server. `credit` is ' +
    'how much of it store credit pays; the payment is for the rest. `method` names the way to pay; without it the ' +
    "order's own, otherwise the caller's default. An open payment of another method is closed first: 409 order_paid if it " +
    'turns out to be paid, payment_under_way while money is moving.',
  input: z.strictObject({
    amount: Total,
    credit: z.optional(Total),
    currency: z.literal('USD'),
    intent: z.union([z.literal('capture'), z.literal('CAPTURE')]),
    orderId: z.optional(z.uuid()),
    items: z.optional(z.array(BoughtItem).check(z.minLength(1), z.maxLength(200))),
    discount: Discount,
    method: z.optional(MethodName),
  }),
  reply: z.object({ id: z.string(), orderId: z.uuid(), next: NextStep }),
  status: 201,
})

const ProviderRef = z.string().check(z.regex(/^[A-Za-z0-9_-]{6,255}$/))
const ProviderOrder = z.strictObject({ id: ProviderRef })

export const capturePayment = endpoint('POST /order/:id/capture', {
  access: 'member',
  about:
    "Captures an approved payment. `status` is COMPLETED once the order is completed, PENDING while the provider's " +
    'answer is awaited (the order completes by itself), DECLINED when another instrument may be tried.',
  input: ProviderOrder,
  reply: z.object({
    id: z.string(),
    status: z.enum(['COMPLETED', 'PENDING', 'DECLINED']),
    orderId: z.uuid(),
    order: Order,
  }),
})

export const cancelOrder = endpoint('POST /api/orders/:id/cancel', {
  access: 'member',
  about:
    'Ends a pending order that is not paid: it fails, and the lines of a cart go back into it. Refused (409) while a ' +
    'payment of it is under way and once it is paid; an order that has failed already stays as it is.',
  input: z.strictObject({ id: z.uuid() }),
  reply: Order,
})

export const cancelPayment = endpoint('POST /order/:id/cancel', {
  access: 'member',
  about: 'The buyer closed the payment: the order ends as failed and its lines return to the cart.',
  input: ProviderOrder,
  reply: Order,
})

export const settleReturn = endpoint('POST /api/payments/return', {
  access: 'member',
  about:
    "The buyer came back from the provider's page. Asks the provider and settles. `status` is COMPLETED once the order is " +
    'completed, PENDING while money is under way, DECLINED when another method may be tried, WAITING while the provider ' +
    'knows of no payment yet, ENDED when this payment is over. `canceled` ends the order unless another payment of it is open.',
  input: z.strictObject({
    provider: MethodName,
    /** Either the provider's id or the payment's id is present. */
    ref: z.optional(ProviderRef),
    payment: z.optional(z.uuid()),
    canceled: z.optional(z.boolean()),
  }),
  reply: z.object({
    status: z.enum(['COMPLETED', 'PENDING', 'DECLINED', 'WAITING', 'ENDED']),
    orderId: z.uuid(),
    order: Order,
  }),
})

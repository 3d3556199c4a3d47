import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { EXCEPTIONS } from './units.rules.ts'

const Hash = z.string().check(z.regex(/^0x[0-9a-f]{64}$/, 'Paste the hash of the transaction: 0x and 64 characters'))

export type TransferException = z.infer<typeof TransferException>
export const TransferException = z.object({
  id: z.uuid(),
  kind: z.enum(EXCEPTIONS),
  amount: z.string(),
  state: z.enum(['open', 'sent', 'done']),
  refundAddress: z.nullable(z.string()),
  waitsUntil: z.nullable(z.string()),
  txHash: z.nullable(z.string()),
  resolution: z.nullable(z.enum(['returned', 'settled', 'recovered', 'written_off'])),
})

export type TransferPayment = z.infer<typeof TransferPayment>
/** Amounts are decimal strings in USDC. 'seen': the full amount arrived, but a part is not confirmed yet. */
export const TransferPayment = z.object({
  orderId: z.uuid(),
  state: z.enum(['waiting', 'partial', 'seen', 'paid', 'expired', 'closed']),
  network: z.string(),
  isTest: z.boolean(),
  token: z.string(),
  address: z.string(),
  amount: z.string(),
  received: z.string(),
  rest: z.string(),
  /** Payment link for wallets with the missing amount (EIP-681). */
  uri: z.string(),
  /** Confirmations of the newest transfer. */
  confirmations: z.number(),
  confirmationsNeeded: z.number(),
  expiresAt: z.string(),
  transactions: z.array(z.object({ hash: z.string(), amount: z.string(), isConfirmed: z.boolean() })),
  exceptions: z.array(TransferException),
})

const ofOrder = z.strictObject({ orderId: z.uuid() })

export const getTransfer = endpoint('GET /api/payments/transfers/:orderId', {
  access: 'member',
  about: "The transfer that pays one of the caller's orders: where to send what, and what has arrived.",
  input: ofOrder,
  reply: TransferPayment,
})

export const giveRefundAddress = endpoint('PUT /api/payments/transfers/:orderId/refund-address', {
  access: 'member',
  stepUp: true,
  about:
    'Sets the refund address for one of the caller’s orders, until the money is sent. A changed address waits 24 hours. Each change is mailed to the account’s address. The letters of `address` must carry their checksum (EIP-55).',
  input: z.strictObject({ orderId: z.uuid(), address: z.string().check(z.trim(), z.maxLength(100)) }),
  reply: TransferPayment,
})

export const EXCEPTION_QUEUES = ['open', 'done'] as const
export type ExceptionQueue = (typeof EXCEPTION_QUEUES)[number]
export const MANY_EXCEPTIONS = 100

export type QueuedException = z.infer<typeof QueuedException>
export const QueuedException = z.object({
  ...TransferException.shape,
  orderId: z.uuid(),
  buyer: z.string(),
  due: z.string(),
  received: z.string(),
  address: z.string(),
  network: z.string(),
  problem: z.nullable(z.string()),
  createdAt: z.string(),
  doneAt: z.nullable(z.string()),
  isOwn: z.boolean(),
})

export const listExceptions = endpoint('GET /api/admin/transfers', {
  access: 'finance',
  about: `Transfers that need a decision, the oldest first, or the last ${MANY_EXCEPTIONS} that were decided; and why the scanner stands still, if it does.`,
  input: z.strictObject({ queue: z.enum(EXCEPTION_QUEUES) }),
  reply: z.object({
    exceptions: z.array(QueuedException),
    trouble: z.nullable(z.object({ why: z.string(), since: z.string() })),
  }),
})

const ofException = z.strictObject({ id: z.uuid() })

export const markSent = endpoint('POST /api/admin/transfers/:id/sent', {
  access: 'finance',
  stepUp: true,
  about:
    'Names the transaction that sent the money to the buyer. It counts once the scanner has read it: token, receiver and amount.',
  input: z.strictObject({ id: z.uuid(), txHash: z.pipe(z.string().check(z.trim(), z.toLowerCase()), Hash) }),
  reply: z.object({ id: z.uuid() }),
})

export const settleLate = endpoint('POST /api/admin/transfers/:id/settle', {
  access: 'finance',
  stepUp: true,
  about: 'Lets a payment that arrived late complete its order, at the prices of the order.',
  input: ofException,
  reply: z.object({ id: z.uuid() }),
})

export const writeOffLoss = endpoint('POST /api/admin/transfers/:id/write-off', {
  access: 'finance',
  stepUp: true,
  about: 'Bears the loss of a payment that a reorganisation took away after its goods were delivered.',
  input: ofException,
  reply: z.object({ id: z.uuid() }),
})

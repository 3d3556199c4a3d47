import * as z from 'zod/mini'
import { endpoint } from '../../src/kit/contract.ts'

// Calls for scripts and tests, which the provider does not have.

export const FAULT_KINDS = [
  'error',
  'lost',
  'hang',
  'under_way',
  'amount',
  'decline',
  'webhook_lost',
  'webhook_double',
  'webhook_late',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export const Faults = z.strictObject({
  /** The share of calls and events that meet a fault, 0 to 1. */
  rate: z.number().check(z.minimum(0), z.maximum(1)),
  kinds: z._default(z.array(z.enum(FAULT_KINDS)), []),
  /** The delay of 'hang' and 'webhook_late'. */
  latencyMs: z._default(z.int().check(z.minimum(0), z.maximum(120_000)), 1000),
})
export type Faults = z.output<typeof Faults>

export const setFaults = endpoint('PUT /sandbox/paypal/test/faults', {
  access: 'public',
  about: 'Makes the payment sandbox fail on purpose.',
  input: Faults,
  reply: Faults,
})

export const SandboxCapture = z.object({
  id: z.string(),
  orderId: z.string(),
  amount: z.string(),
  currency: z.string(),
  customId: z.nullable(z.string()),
  invoiceId: z.nullable(z.string()),
  status: z.enum(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']),
  refunded: z.string(),
  createdAt: z.string(),
})
export type SandboxCapture = z.output<typeof SandboxCapture>

export const listCaptures = endpoint('GET /sandbox/paypal/test/captures', {
  access: 'public',
  about: 'Lists the captures of the payment sandbox.',
  reply: z.array(SandboxCapture),
})

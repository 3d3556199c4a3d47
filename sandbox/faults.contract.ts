import * as z from 'zod/mini'

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
  rate: z.number().check(z.minimum(0), z.maximum(1)),
  kinds: z._default(z.array(z.enum(FAULT_KINDS)), []),
  latencyMs: z._default(z.int().check(z.minimum(0), z.maximum(120_000)), 1000),
})
export type Faults = z.output<typeof Faults>

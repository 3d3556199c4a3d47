import * as z from 'zod/mini'
import { endpoint } from '../../src/kit/contract.ts'

export const SUPPLY_FAULTS = ['none', 'late', 'refuse', 'fail', 'few', 'doubled', 'other', 'same'] as const

/**
 * `late` answers 202 `asks` times, `fail` 500, `few` a code too few, `doubled` one code twice, `other` another request's id,
 * `same` one list for all.
 */
const Faults = z.strictObject({
  kind: z.enum(SUPPLY_FAULTS),
  asks: z._default(z.int().check(z.minimum(0), z.maximum(1000)), 0),
})
export type SupplyFaults = z.output<typeof Faults>

export const setSupplyFaults = endpoint('PUT /sandbox/supplier/test/faults', {
  access: 'public',
  about: 'Makes the stand-in for the supplier fail on purpose.',
  input: Faults,
  reply: Faults,
})

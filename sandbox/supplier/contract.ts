import * as z from 'zod/mini'
import { endpoint } from '../../src/kit/contract.ts'

export const SUPPLY_FAULTS = ['none', 'late', 'refuse', 'fail', 'few', 'doubled', 'other', 'same'] as const

/**
 * `late` answers 202 `asks` times, `fail` answers 500, `few` returns one code too few, `doubled` returns one code
 * twice, `other` returns another request's id, `same` returns one list for all requests.
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

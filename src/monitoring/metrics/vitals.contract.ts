import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

const MAX_MS = 120_000

export type Vital = z.infer<typeof Vital>
/** One measurement of a real visit in milliseconds. CLS has no unit. */
export const Vital = z.strictObject({
  name: z.enum(['LCP', 'INP', 'CLS', 'FCP', 'TTFB']),
  value: z.number().check(z.gte(0), z.lte(MAX_MS)),
  /** A route such as '/product/:id', never a URL. */
  route: z.string().check(z.regex(/^\/[a-z/:]{0,60}$/i)),
})

export const sendVitals = endpoint('POST /api/monitoring/vitals', {
  access: 'public',
  about: 'Receives the web vitals of a visit.',
  input: z.strictObject({ vitals: z.array(Vital).check(z.minLength(1), z.maxLength(10)) }),
  reply: z.object({}),
  status: 202,
})

import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { LineOfOrder } from '../line.contract.ts'

export const CodeGoods = z.object({ kind: z.literal('code'), count: z.number() })

export const revealCodes = endpoint('POST /api/orders/:id/lines/:lineId/reveal', {
  access: 'member',
  stepUp: true,
  about: 'Returns the bought codes. Each call is recorded.',
  input: LineOfOrder,
  reply: z.object({ codes: z.array(z.string()) }),
})

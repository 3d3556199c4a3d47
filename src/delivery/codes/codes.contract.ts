import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { CodeReport } from '../cases/report.contract.ts'
import { LineOfOrder } from '../line.contract.ts'

export const CodeGoods = z.object({
  kind: z.literal('code'),
  count: z.number(),
  reports: z.optional(z.array(CodeReport)),
  /** Deadline of codes on demand. After it, they are refunded. */
  supplyBy: z.optional(z.nullable(z.string())),
})

export type RevealedCode = z.infer<typeof RevealedCode>
export const RevealedCode = z.object({
  id: z.uuid(),
  code: z.string(),
  pin: z.string(),
  serial: z.string(),
  isUsed: z.boolean(),
  report: z.nullable(CodeReport),
})

export const revealCodes = endpoint('POST /api/orders/:id/lines/:lineId/reveal', {
  access: 'member',
  stepUp: true,
  about: 'Returns the bought codes. Each call is recorded.',
  input: LineOfOrder,
  reply: z.object({ codes: z.array(RevealedCode) }),
})

const CodeOfLine = z.extend(LineOfOrder, { codeId: z.uuid() })

export const noteCopy = endpoint('POST /api/orders/:id/lines/:lineId/codes/:codeId/copy', {
  access: 'member',
  about: 'Records that the buyer copied a code that was revealed.',
  input: CodeOfLine,
  reply: z.object({ isNoted: z.boolean() }),
})

export const setCodeUsed = endpoint('PUT /api/orders/:id/lines/:lineId/codes/:codeId', {
  access: 'member',
  about: 'Keeps the buyer’s own note that a code was used. It changes nothing else.',
  input: z.extend(CodeOfLine, { isUsed: z.boolean() }),
  reply: z.object({ isUsed: z.boolean() }),
})

import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'

export type Delivery = z.infer<typeof Delivery>
/** The goods of a line; null before the order is completed and after access is revoked. */
export const Delivery = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    fileName: z.string(),
    contentType: z.string(),
    sizeBytes: z.number(),
    sha256: z.string(),
    /** The version on sale, if the seller has replaced the bought one; the buyer may take it, too. */
    newer: z.optional(
      z.nullable(
        z.object({ fileName: z.string(), sizeBytes: z.number(), note: z.nullable(z.string()), addedAt: z.string() }),
      ),
    ),
  }),
  z.object({ kind: z.literal('code'), count: z.number() }),
])

const LineOfOrder = z.strictObject({ id: z.uuid(), lineId: z.uuid() })

export const grantDownload = endpoint('POST /api/orders/:id/lines/:lineId/download', {
  access: 'member',
  about:
    'Grants the download of a bought file, with `isNewest` of the version on sale. The download must start by `expiresAt` and can be resumed after that.',
  input: z.extend(LineOfOrder, { isNewest: z.optional(z.boolean()) }),
  reply: z.object({ url: z.string(), expiresAt: z.string() }),
})

export const revealCodes = endpoint('POST /api/orders/:id/lines/:lineId/reveal', {
  access: 'member',
  stepUp: true,
  about: 'Returns the bought codes. Each call is recorded.',
  input: LineOfOrder,
  reply: z.object({ codes: z.array(z.string()) }),
})

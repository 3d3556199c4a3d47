import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'

export type Delivery = z.infer<typeof Delivery>
/** What the buyer of a line gets; null until the order is completed, and again once access was revoked. */
export const Delivery = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    fileName: z.string(),
    contentType: z.string(),
    sizeBytes: z.number(),
    sha256: z.string(),
  }),
  z.object({ kind: z.literal('code'), count: z.number() }),
])

const LineOfOrder = z.strictObject({ id: z.uuid(), lineId: z.uuid() })

export const grantDownload = endpoint('POST /api/orders/:id/lines/:lineId/download', {
  access: 'member',
  about: 'Grants the download of the file bought; the URL must be started by `expiresAt` and may then be resumed.',
  input: LineOfOrder,
  reply: z.object({ url: z.string(), expiresAt: z.string() }),
})

export const revealCodes = endpoint('POST /api/orders/:id/lines/:lineId/reveal', {
  access: 'member',
  stepUp: true,
  about: 'Shows the codes bought. Each reveal is recorded.',
  input: LineOfOrder,
  reply: z.object({ codes: z.array(z.string()) }),
})

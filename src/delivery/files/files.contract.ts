import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { LineOfOrder } from '../line.contract.ts'

export const FileGoods = z.object({
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
})

export const grantDownload = endpoint('POST /api/orders/:id/lines/:lineId/download', {
  access: 'member',
  about:
    'Grants the download of a bought file, with `isNewest` of the version on sale. The download must start by `expiresAt` and can be resumed after that.',
  input: z.extend(LineOfOrder, { isNewest: z.optional(z.boolean()) }),
  reply: z.object({ url: z.string(), expiresAt: z.string() }),
})

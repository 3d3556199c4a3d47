import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { LineOfOrder } from '../line.contract.ts'

export const FileGoods = z.object({
  kind: z.literal('file'),
  fileName: z.string(),
  contentType: z.string(),
  sizeBytes: z.number(),
  sha256: z.string(),
  moreFiles: z.number(),
  /** The version on sale, if the seller replaced the bought one. The buyer may download both. */
  newer: z.optional(
    z.nullable(
      z.object({ fileName: z.string(), sizeBytes: z.number(), note: z.nullable(z.string()), addedAt: z.string() }),
    ),
  ),
})

export const grantDownload = endpoint('POST /api/orders/:id/lines/:lineId/download', {
  access: 'member',
  about:
    'Grants the download of the first bought file; with `isNewest` of its version on sale, with `fileId` of another bought file or its version on sale, with `isAll` of all bought files, as a ZIP if they are several. The download must start by `expiresAt`. A file can be resumed after that, a ZIP cannot.',
  input: z.extend(LineOfOrder, {
    isNewest: z.optional(z.boolean()),
    fileId: z.optional(z.uuid()),
    isAll: z.optional(z.boolean()),
  }),
  reply: z.object({ url: z.string(), expiresAt: z.string() }),
})

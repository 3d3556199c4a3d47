import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

// Files that open in the browser, with the reader's position. `id` is the order line.

export type ReadFile = z.infer<typeof ReadFile>
export const ReadFile = z.object({
  id: z.uuid(),
  fileName: z.string(),
  contentType: z.string(),
  sizeBytes: z.number(),
  /** '1:05:30 On the roof' on each line. Empty without chapters. */
  chapters: z.string(),
  /** The caller's position: a page, a place in a book, or seconds. Null before the first one. */
  place: z.nullable(z.string()),
  /** Share of the file, from 0 to 1. */
  share: z.number(),
})

export type Reading = z.infer<typeof Reading>
export const Reading = z.object({
  orderId: z.uuid(),
  productId: z.uuid(),
  title: z.string(),
  seller: z.string(),
  categoryId: z.string(),
  imageUrl: z.nullable(z.string()),
  files: z.array(ReadFile),
})

const Line = z.strictObject({ id: z.uuid() })
const File = z.extend(Line, { fileId: z.uuid() })

export const getReading = endpoint('GET /api/read/:id', {
  access: 'member',
  about: 'The files of a bought line, with the place in each where the caller stopped.',
  input: Line,
  reply: Reading,
})

export const openFile = endpoint('POST /api/read/:id/files/:fileId', {
  access: 'member',
  about:
    'Grants a file of a bought line to a reader or player in the browser: a bought file, or a file of an open lesson. It must start by `expiresAt`, lasts an hour and takes ranges.',
  input: File,
  reply: z.object({ url: z.string(), expiresAt: z.string() }),
})

export const keepPlace = endpoint('PUT /api/read/:id/files/:fileId/place', {
  access: 'member',
  about:
    'Keeps where the caller stopped in a file. Of two devices, the later `movedAt` holds; a moment to come counts as now.',
  input: z.extend(File, {
    place: z.string().check(z.regex(/^[\w:./-]{1,100}$/)),
    share: z.number().check(z.minimum(0), z.maximum(1)),
    movedAt: z.iso.datetime().check(z.regex(/^2/)),
  }),
  reply: z.object({ place: z.string(), share: z.number() }),
})

import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { SHOWN_BY_FILES } from '../../payments/disputes/disputes.ts'

export const Shows = z.enum(SHOWN_BY_FILES)

export type AttachedFile = z.infer<typeof AttachedFile>
/** A file that goes to the provider with the answer. `by` is the public name of who attached it. */
export const AttachedFile = z.object({
  id: z.uuid(),
  shows: Shows,
  fileName: z.string(),
  sizeBytes: z.number(),
  by: z.string(),
  addedAt: z.string(),
})

export type Free = z.infer<typeof Free>
/** Kinds and bytes that can still be attached to a dispute. The sellers of an order and staff share them. */
export const Free = z.object({ kinds: z.array(Shows), bytes: z.number() })

/** An upload of the caller that becomes a file of a dispute. */
export const NewFile = { uploadURL: z.string().check(z.maxLength(2000)), shows: Shows }

const Done = z.object({ id: z.uuid() })

export const attachFile = endpoint('POST /api/admin/disputes/:id/files', {
  access: 'finance',
  about:
    'Attaches an upload of the caller to the answer of a dispute: a PDF, PNG or JPEG. One file of each kind, together 4.5 MB, a PDF with at most 49 pages. 409 `closed` after the answer or the end.',
  input: z.strictObject({ id: z.uuid(), ...NewFile }),
  reply: Done,
  status: 201,
})

export const detachFile = endpoint('DELETE /api/admin/disputes/:id/files/:fileId', {
  access: 'finance',
  about:
    'Removes a file of a seller or of staff from the answer of a dispute. 409 `closed` after the answer or the end.',
  input: z.strictObject({ id: z.uuid(), fileId: z.uuid() }),
  reply: Done,
})

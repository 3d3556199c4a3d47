import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export type OwnedFile = z.infer<typeof OwnedFile>
const Version = z.object({ id: z.uuid(), fileName: z.string(), sizeBytes: z.number(), sha256: z.string() })
/** A bought version. `newer` is the one on sale if the seller replaced it. */
export const OwnedFile = z.extend(Version, {
  /** The buyer's copy has the mail address on each page, so its hash differs. */
  isStamped: z.boolean(),
  newer: z.nullable(z.extend(Version, { note: z.nullable(z.string()), addedAt: z.string() })),
})

const OneOwned = z.strictObject({ id: z.uuid() })

export const listOwnedFiles = endpoint('GET /api/library/:id/files', {
  access: 'member',
  about: 'The files of a bought line, as they were sold, with the newer versions that the buyer may take.',
  input: OneOwned,
  reply: z.array(OwnedFile),
})

export const archiveOwned = endpoint('PUT /api/library/:id/archive', {
  access: 'member',
  about: 'Puts a thing into the archive of the library. It stays the caller’s.',
  input: OneOwned,
  reply: z.object({ isArchived: z.boolean() }),
})

export const unarchiveOwned = endpoint('DELETE /api/library/:id/archive', {
  access: 'member',
  about: 'Takes a thing out of the archive of the library.',
  input: OneOwned,
  reply: z.object({ isArchived: z.boolean() }),
})

export const listOwnedParts = endpoint('GET /api/products/:id/parts/owned', {
  access: 'member',
  about: 'Which parts of a bundle the caller has already.',
  input: OneOwned,
  reply: z.object({ ids: z.array(z.uuid()) }),
})

export const MAX_KEPT = 500

export const checkKept = endpoint('POST /api/library/kept', {
  access: 'member',
  about: 'Which of these lines the caller may open. A device deletes the files that it keeps of any other.',
  input: z.strictObject({ ids: z.array(z.uuid()).check(z.maxLength(MAX_KEPT)) }),
  reply: z.object({ ids: z.array(z.uuid()) }),
})

import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

// Uploads in parts with the paths and bodies of Companion.

export const PARTED_ABOVE_BYTES = 100 * 1024 * 1024
export const MIN_PART_BYTES = 5 * 1024 * 1024
export const MAX_PARTS = 10_000

const Text = (most: number) => z.string().check(z.maxLength(most))
const Key = z.uuid()

export const startParts = endpoint('POST /companion/s3/multipart', {
  access: 'member',
  about:
    'Starts an upload in parts. `metadata` may name `kind` (image or file), `size` in bytes, `fingerprint` and `checksum` (sha256: every part will be signed with its hash).',
  input: z.strictObject({
    filename: Text(1000),
    type: z.optional(z.nullable(Text(200))),
    metadata: z.optional(z.record(Text(100), z.nullable(Text(2000)))),
  }),
  reply: z.object({ key: z.string(), uploadId: z.string() }),
})

export const listParts = endpoint('GET /companion/s3/multipart/:uploadId', {
  access: 'member',
  about: 'Lists the parts that the store has. `ChecksumSHA256` is missing where the store keeps none.',
  input: z.strictObject({ uploadId: Text(1024), key: Text(200) }),
  reply: z.array(
    z.object({
      PartNumber: z.number(),
      Size: z.number(),
      ETag: z.string(),
      ChecksumSHA256: z.optional(z.string()),
    }),
  ),
})

export const signPart = endpoint('GET /companion/s3/multipart/:uploadId/:partNumber', {
  access: 'member',
  about: 'Signs the PUT of one part. `sha256` (base64) fixes its hash.',
  input: z.strictObject({
    uploadId: Text(1024),
    partNumber: Text(20),
    key: Text(200),
    sha256: z.optional(z.string().check(z.regex(/^[A-Za-z0-9+/]{43}=$/))),
  }),
  reply: z.object({ url: z.string(), expires: z.number(), headers: z.record(z.string(), z.string()) }),
})

export const COMPLETE = 'POST /companion/s3/multipart/:uploadId/complete'
export const ABORT = 'DELETE /companion/s3/multipart/:uploadId'

export const CompletedParts = z.object({
  parts: z
    .array(z.object({ ETag: Text(200).check(z.minLength(1)), PartNumber: z.int() }))
    .check(z.minLength(1), z.maxLength(MAX_PARTS)),
})

export const findUnfinished = endpoint('POST /api/objects/unfinished', {
  access: 'member',
  about:
    'Finds an unfinished upload in parts of the same file by the caller, from any device. With `key` also that upload, when it was finished meanwhile (`isStored`).',
  input: z.strictObject({
    fingerprint: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    sizeBytes: z.int().check(z.positive()),
    key: z.optional(Key),
  }),
  reply: z.object({ upload: z.nullable(z.object({ key: Key, uploadId: z.string(), isStored: z.boolean() })) }),
})

/** The joined bytes are being checked. The client repeats the call until it returns the result. */
export const CHECKING = 'checking'

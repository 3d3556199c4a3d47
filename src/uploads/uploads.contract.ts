import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'

export const MAX_IMAGE_BYTES = 5 * 1024 * 1024

/** Widths in pixels that every product image is kept in, as AVIF and WebP. */
export const IMAGE_WIDTHS = [320, 640] as const

export const createUpload = endpoint('POST /api/objects/upload', {
  access: 'member',
  about: 'Issues a signed URL that takes one PUT of one file within 15 minutes.',
  input: z.strictObject({}),
  reply: z.object({ uploadURL: z.string() }),
})

const Link = z.string().check(z.minLength(1), z.maxLength(2000))

/** Where the uploader's tab for links finds the two calls below. */
export const LINKS = '/api/objects'

export const describeLink = endpoint('POST /api/objects/url/meta', {
  access: 'member',
  about: 'Asks the server of an address for the name, type and size of the file there.',
  input: z.strictObject({ url: Link }),
  reply: z.object({ name: z.string(), type: z.optional(z.string()), size: z.optional(z.number()) }),
})

/** Its answer is a stream of lines of JSON, so it is no call like others. */
export const importLink = {
  line: 'POST /api/objects/url/get',
  access: 'member',
  about:
    'Fetches the file under a public address as an upload of the caller. The body is `{ url, kind }`; the answer is lines of JSON: how far it is, and last `uploadURL`, or `status` and `message` of what went wrong.',
} as const

export const LinkToImport = z.strictObject({ url: Link, kind: z.enum(['image', 'file']) })
export type LinkToImport = z.infer<typeof LinkToImport>

/** One line of the answer; the last one holds `uploadURL` or `message`. */
export type LinkProgress =
  | { bytesUploaded: number; bytesTotal: number | null }
  | { bytesUploaded: number; uploadURL: string }
  | { status: number; message: string }

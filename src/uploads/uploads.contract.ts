import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'

export const MAX_IMAGE_BYTES = 5 * 1024 * 1024

/** The widths of product images in pixels. Each exists as AVIF and WebP. */
export const IMAGE_WIDTHS = [160, 320, 640, 1280] as const

/** The width made at once, as WebP. A job makes the others. */
export const FIRST_WIDTH = 640

export const createUpload = endpoint('POST /api/objects/upload', {
  access: 'member',
  about:
    'Issues a signed URL for one PUT of one file within 15 minutes. The headers X-File-Name (URI-encoded), X-File-Type, X-File-Size, X-File-Sha256 (base64) and X-Upload-Kind announce the file; the PUT must then carry `headers`. Where the URL is not of the shop, call the finish of the upload `id` afterwards.',
  reply: z.object({ uploadURL: z.string(), id: z.uuid(), headers: z.record(z.string(), z.string()) }),
})

export const finishUpload = endpoint('POST /api/objects/:id/finish', {
  access: 'member',
  about: 'Checks the bytes that the browser sent to the object store, and takes them in. May be repeated.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.object({ uploadURL: z.string() }),
})

const Link = z.string().check(z.minLength(1), z.maxLength(2000))

export const LINKS = '/api/objects'

export const describeLink = endpoint('POST /api/objects/url/meta', {
  access: 'member',
  about: 'Reads the name, type and size of the file at a public URL.',
  input: z.strictObject({ url: Link }),
  reply: z.object({ name: z.string(), type: z.optional(z.string()), size: z.optional(z.number()) }),
})

/** Responds with a stream of JSON lines, unlike other calls. */
export const importLink = {
  line: 'POST /api/objects/url/get',
  access: 'member',
  about:
    'Downloads the file at a public URL as an upload of the caller. The body is `{ url, kind }`. The response is lines of JSON: progress, and last `uploadURL`, or `status` and `message` of a failure.',
} as const

export const LinkToImport = z.strictObject({ url: Link, kind: z.enum(['image', 'file']) })
export type LinkToImport = z.infer<typeof LinkToImport>

export type LinkProgress =
  | { bytesUploaded: number; bytesTotal: number | null }
  | { bytesUploaded: number; uploadURL: string }
  | { status: number; message: string }

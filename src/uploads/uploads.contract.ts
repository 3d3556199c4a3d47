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

import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { oneLine } from '../../kit/text.rules.ts'

export const PREVIEW_KINDS = ['image', 'audio', 'video', 'pdf', 'epub'] as const
export type PreviewKind = (typeof PREVIEW_KINDS)[number]
export const MAX_PREVIEWS: Record<PreviewKind, number> = { image: 8, audio: 1, video: 1, pdf: 1, epub: 1 }
const MAX = Object.values(MAX_PREVIEWS).reduce((sum, most) => sum + most, 0)

export type Preview = z.infer<typeof Preview>
/**
 * `url` is the 640 px WebP of an image or the file of a sample. `alt` describes an image. A sample that the shop cut from
 * the start of a file shows `shown` of its `whole` pages, chapters or seconds.
 */
export const Preview = z.object({
  id: z.uuid(),
  kind: z.enum(PREVIEW_KINDS),
  url: z.string(),
  contentType: z.string(),
  sizeBytes: z.number(),
  alt: z.string(),
  shown: z.nullable(z.number()),
  whole: z.nullable(z.number()),
})

const Product = z.strictObject({ id: z.uuid() })
const Alt = oneLine('Say what it shows.').check(z.minLength(1, 'Say what it shows.'), z.maxLength(200))

export const getPreviews = endpoint('GET /api/products/:id/previews', {
  access: 'public',
  about: 'Images and samples of a listed product; its seller sees them at any time.',
  input: Product,
  reply: z.array(Preview),
})

export const addPreview = endpoint('POST /api/products/:id/previews', {
  access: 'member',
  about:
    'Binds an upload of the caller to their product as a preview: an image, or a sample as recording, film, PDF or EPUB.',
  input: z.extend(Product, { uploadURL: z.string().check(z.maxLength(2000)), alt: Alt }),
  reply: z.array(Preview),
  status: 201,
})

export const arrangePreviews = endpoint('PUT /api/products/:id/previews', {
  access: 'member',
  about:
    'Sets order and texts of all previews. Those that are missing are removed. 409 `changed` for one that is none.',
  input: z.extend(Product, {
    previews: z.array(z.strictObject({ id: z.uuid(), alt: Alt })).check(z.maxLength(MAX)),
  }),
  reply: z.array(Preview),
})

export type Extent = z.infer<typeof Extent>
/** A sample that a cut would give. `percent` of the file's content, which counts the text of a book. */
const Extent = z.object({ kind: z.enum(PREVIEW_KINDS), shown: z.number(), whole: z.number(), percent: z.number() })

export const measureSample = endpoint('POST /api/products/:id/previews/measure', {
  access: 'member',
  about:
    'Returns how much of the first file of the caller’s product a sample would show, and stores nothing. 409 `uncut` for a file that is too short, too large, protected or of another type.',
  input: Product,
  reply: Extent,
})

export const cutSample = endpoint('POST /api/products/:id/previews/cut', {
  access: 'member',
  about:
    'Cuts a public sample from the start of the first file of the caller’s product: pages of a PDF, chapters of an EPUB, seconds of a WAV or an MP3. `shown` and `whole` are the extent that the caller accepted. 409 `changed` if the file gives another extent, 409 `uncut` if it gives none.',
  input: z.extend(Product, { shown: z.number(), whole: z.number() }),
  reply: z.array(Preview),
  status: 201,
})

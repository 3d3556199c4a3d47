import * as z from 'zod/mini'

/** A line with a licence key. `devices` may run the software. `file` is downloaded separately. */
export const LicenseGoods = z.object({
  kind: z.literal('license'),
  devices: z.number(),
  file: z.nullable(z.object({ fileName: z.string(), sizeBytes: z.number() })),
})

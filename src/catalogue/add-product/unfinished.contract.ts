import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { tidy } from '../../kit/text.rules.ts'
import { MAX_FILES } from '../catalogue.contract.ts'
import { KINDS } from '../kinds.rules.ts'

/** Unfinished products of one member. */
export const MAX_UNFINISHED = 50
/** Days for which the uploads of an unfinished product stay after its last change. */
export const UPLOADS_LAST_DAYS = 30

const typed = (most: number) => z.string().check(tidy(), z.maxLength(most))

const StoredUpload = z.strictObject({
  url: z.string().check(z.maxLength(2000)),
  name: typed(300),
  sizeBytes: z.number().check(z.int(), z.minimum(0)),
})

export type Entered = z.infer<typeof Entered>
/** The fields of Add Product as typed. Each of them can be empty or invalid. */
export const Entered = z.strictObject({
  title: typed(400),
  description: typed(20_000),
  price: z.string().check(z.maxLength(40)),
  categoryId: z.string().check(z.maxLength(60)),
  delivery: z.nullable(z.enum(KINDS)),
  image: z.nullable(StoredUpload),
  file: z.nullable(StoredUpload),
  more: z.array(StoredUpload).check(z.maxLength(MAX_FILES)),
})

export type Unfinished = z.infer<typeof Unfinished>
const Unfinished = z.object({ id: z.uuid(), entered: Entered, updatedAt: z.string() })

export const listUnfinished = endpoint('GET /api/account/unfinished-products', {
  access: 'member',
  about: 'The unfinished products of the caller in Add Product, the last changed first.',
  reply: z.array(Unfinished),
})

const One = z.strictObject({ id: z.uuid() })

export const saveUnfinished = endpoint('PUT /api/account/unfinished-products/:id', {
  access: 'member',
  about: `Saves an unfinished product of the caller under an id that the caller chose. Its uploads stay for ${UPLOADS_LAST_DAYS} days. 409 \`too_many\` above ${MAX_UNFINISHED} of them.`,
  input: z.extend(One, { entered: Entered }),
  reply: One,
})

export const removeUnfinished = endpoint('DELETE /api/account/unfinished-products/:id', {
  access: 'member',
  about: 'Deletes an unfinished product of the caller. Succeeds if there is none.',
  input: One,
  reply: One,
})

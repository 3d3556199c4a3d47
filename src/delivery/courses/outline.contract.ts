import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { oneLine, tidyText } from '../../kit/text.rules.ts'

// The parts of a course in order. A section is a heading for the lessons up to the next section.

export const MAX_PARTS = 300
export const MAX_LESSON_FILES = 10
export const MAX_LESSON_LENGTH = 20_000
export const MAX_DRIP_DAYS = 3650

const Title = oneLine('Give it a title.').check(z.minLength(1, 'Give it a title.'), z.maxLength(200))
/** years from 2000, because PostgreSQL has no year 0000 */
const Day = z.iso.date('Choose a day.').check(z.regex(/^2/, 'Choose a day.'))

export type OutlinePart = z.infer<typeof OutlinePart>
const OutlinePart = z.object({
  id: z.uuid(),
  isSection: z.boolean(),
  title: z.string(),
  /** A UTC day, 'YYYY-MM-DD'. */
  opensOn: z.nullable(z.string()),
  opensAfterDays: z.nullable(z.number()),
  isPreview: z.boolean(),
  types: z.array(z.string()),
  /** Minutes to read the text. 0 without a text. */
  minutes: z.number(),
  /** Length of its recordings and films. Null while one of them is not measured. */
  seconds: z.nullable(z.number()),
})

export type Outline = z.infer<typeof Outline>
export const Outline = z.array(OutlinePart)

export type LessonFile = z.infer<typeof LessonFile>
export const LessonFile = z.object({
  id: z.uuid(),
  fileName: z.string(),
  contentType: z.string(),
  sizeBytes: z.number(),
  chapters: z.string(),
  /** Length of a recording or film. Null while it is not measured. */
  seconds: z.nullable(z.number()),
})

export type EditedLesson = z.infer<typeof EditedLesson>
export const EditedLesson = z.extend(z.omit(OutlinePart, { types: true, minutes: true, seconds: true }), {
  text: z.string(),
  version: z.number(),
  files: z.array(LessonFile),
})

const Product = z.strictObject({ id: z.uuid() })
const Part = z.extend(Product, { partId: z.uuid() })

export const getOutline = endpoint('GET /api/products/:id/course', {
  access: 'member',
  about: 'Sections and lessons of a course that the caller sells.',
  input: Product,
  reply: Outline,
})

export const addPart = endpoint('POST /api/products/:id/course/parts', {
  access: 'member',
  about: 'Adds a section or a lesson at the end of the caller’s course, or behind `afterId`.',
  input: z.extend(Product, { isSection: z.boolean(), title: Title, afterId: z.optional(z.uuid()) }),
  reply: Outline,
  status: 201,
})

export const orderParts = endpoint('PUT /api/products/:id/course/order', {
  access: 'member',
  about: 'Sets the order of all sections and lessons. 409 `changed` unless these are all of them.',
  input: z.extend(Product, { ids: z.array(z.uuid()).check(z.maxLength(MAX_PARTS)) }),
  reply: Outline,
})

export const getPart = endpoint('GET /api/products/:id/course/parts/:partId', {
  access: 'member',
  about: 'A section or lesson of the caller’s course, to edit it.',
  input: Part,
  reply: EditedLesson,
})

export const savePart = endpoint('PUT /api/products/:id/course/parts/:partId', {
  access: 'member',
  about:
    'Changes a section or lesson. Buyers see the change at once. A section has a title only. 409 `changed` if another edit was saved since `version`.',
  input: z.extend(Part, {
    title: Title,
    text: z.string().check(z.overwrite(tidyText), z.maxLength(MAX_LESSON_LENGTH)),
    opensOn: z.nullable(Day),
    opensAfterDays: z.nullable(z.int().check(z.minimum(1), z.maximum(MAX_DRIP_DAYS))),
    isPreview: z.boolean(),
    version: z.int().check(z.minimum(1)),
  }),
  reply: EditedLesson,
})

export const removePart = endpoint('DELETE /api/products/:id/course/parts/:partId', {
  access: 'member',
  about: 'Deletes a section or lesson. The lessons of a deleted section stay. What buyers did with a lesson is kept.',
  input: Part,
  reply: Outline,
})

export const restorePart = endpoint('POST /api/products/:id/course/parts/:partId/restore', {
  access: 'member',
  about: 'Takes the deletion of a section or lesson back; it stands where it was.',
  input: Part,
  reply: Outline,
})

export const addLessonFile = endpoint('POST /api/products/:id/course/parts/:partId/files', {
  access: 'member',
  about: 'Binds an upload of the caller to a lesson. The first recording or film plays in the lesson.',
  input: z.extend(Part, { uploadURL: z.string().check(z.maxLength(2000)) }),
  reply: EditedLesson,
  status: 201,
})

const File = z.extend(Part, { fileId: z.uuid() })

export const removeLessonFile = endpoint('DELETE /api/products/:id/course/parts/:partId/files/:fileId', {
  access: 'member',
  about: 'Takes a file out of a lesson.',
  input: File,
  reply: EditedLesson,
})

export const MAX_CHAPTERS_LENGTH = 5000

export const saveChapters = endpoint('PUT /api/products/:id/files/:fileId/chapters', {
  access: 'member',
  about: 'Sets the chapters of a recording or film of the caller, one on each line: “1:05:30 On the roof”.',
  input: z.strictObject({
    id: z.uuid(),
    fileId: z.uuid(),
    chapters: z.string().check(z.overwrite(tidyText), z.maxLength(MAX_CHAPTERS_LENGTH)),
  }),
  reply: z.object({ chapters: z.string() }),
})

const MAX_SECONDS = 100 * 3600

export const saveSeconds = endpoint('PUT /api/products/:id/course/files/:fileId/seconds', {
  access: 'member',
  about: 'Sets the length of a recording or film of a lesson, as the browser of its seller measured it.',
  input: z.strictObject({
    id: z.uuid(),
    fileId: z.uuid(),
    seconds: z.int().check(z.minimum(1), z.maximum(MAX_SECONDS)),
  }),
  reply: z.object({ seconds: z.number() }),
})

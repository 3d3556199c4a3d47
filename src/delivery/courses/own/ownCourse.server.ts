import { Failure } from '../../../kit/failure.ts'
import { type Answer, handle, handleRaw, type Route } from '../../../kit/handle.server.ts'
import type { Limit } from '../../../kit/serve/limit.server.ts'
import { isUuid } from '../../../kit/uuid.ts'
import { sendFile } from '../../../uploads/sendFile.server.ts'
import type { Storage } from '../../../uploads/storage.server.ts'
import { readParts } from '../learning.store.server.ts'
import { findOwnCourse, findOwnFile, setSeconds } from '../lessons.statements.server.ts'
import { saveSeconds } from '../outline.contract.ts'
import { getOwnCourse } from './ownCourse.contract.ts'

const MISSING = new Failure(404, 'Not found')
const reads: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]
const changes: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]
/** A player requests a long film in many ranges. */
const ranges: Limit[] = [{ per: 'account', count: 300, seconds: 60 }]

export const ownCourseRoutes = (storage: Storage): Route[] => [
  handle(getOwnCourse, { limits: reads }, async ({ id }, { user, db }) => {
    const [course] = await findOwnCourse(db, { productId: id, sellerId: user.id })
    if (!course) throw MISSING
    const parts = await readParts(db, { userId: user.id, lineId: null, productId: id, boughtAt: new Date() })
    return { ...course, parts: parts.map(({ openedAt: _, ...part }) => part) }
  }),

  handle(saveSeconds, { limits: changes }, async ({ id, fileId, seconds }, { user, db }) => {
    const [saved] = await setSeconds(db, { productId: id, fileId, sellerId: user.id, seconds })
    if (!saved) throw MISSING
    return { seconds }
  }),

  handleRaw(
    'GET /api/products/:id/course/files/:fileId',
    { access: 'member', about: 'A file of a lesson of the caller’s course. Accepts one range.', limits: ranges },
    async (page): Promise<Answer> => {
      const { db, user, query } = page
      const { id, fileId } = page.params
      const [file] =
        isUuid(id) && isUuid(fileId) ? await findOwnFile(db, { fileId, productId: id, sellerId: user.id }) : []
      if (!file) throw MISSING
      // the content security policy forbids players other origins, so the shop streams their bytes
      return sendFile(page, query.has('reader') ? { open: storage.open } : storage, file)
    },
  ),
]

import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, handlePublic, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { openGoods } from '../gate.server.ts'
import { readPlacedFiles } from '../reading/reading.store.server.ts'
import { certify, findCertificate } from './certificates.store.server.ts'
import {
  getCourse,
  getLesson,
  listLessons,
  listPreviews,
  setLessonDone,
  type TakenCourse,
} from './learning.contract.ts'
import {
  findLesson,
  findTaken,
  noteDone,
  noteOpened,
  readOpenLessons,
  readParts,
  readPreviews,
  type TakenLine,
} from './learning.store.server.ts'
import { isComplete, lessonsOf, resumeAt } from './progress.rules.ts'

const MISSING = new Failure(404, 'Not found')
const stores: Limit[] = [{ per: 'account', count: 20, seconds: 60 }]
const reads: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]

export const learningRoutes: Route[] = [
  handle(getCourse, { limits: reads }, async ({ id }, { user, db }) =>
    show(db, user.id, id, await demand(db, user.id, id)),
  ),

  handle(getLesson, { limits: reads }, async ({ id, lessonId }, { user, db, ip, isProven: askProven }) => {
    const isProven = await askProven()
    return inTransaction(db, async (tx) => {
      const own = { userId: user.id, lineId: id }
      await openGoods(tx, { ...own, delivery: 'course', isProven, use: { kind: 'read', ip } })
      const lesson = await findLesson(tx, await demand(tx, user.id, id), lessonId)
      await noteOpened(tx, { orderLineId: id, userId: user.id, lessonId })
      return { ...lesson, files: await readPlacedFiles(tx, { ...own, lessonId }) }
    })
  }),

  handle(listLessons, { limits: stores }, async ({ id }, { user, db, ip, isProven: askProven }) => {
    const isProven = await askProven()
    return inTransaction(db, async (tx) => {
      await openGoods(tx, { userId: user.id, lineId: id, delivery: 'course', isProven, use: { kind: 'read', ip } })
      return readOpenLessons(tx, await demand(tx, user.id, id))
    })
  }),

  handle(setLessonDone, { limits: reads }, async ({ id, lessonId, isDone }, { user, db, ip, isProven: askProven }) => {
    const isProven = await askProven()
    return inTransaction(db, async (tx) => {
      const own = { userId: user.id, lineId: id }
      // a finished lesson counts as read, even if the client never loaded its text
      await openGoods(tx, { ...own, delivery: 'course', isProven, use: { kind: 'read', ip } })
      const course = await demand(tx, user.id, id)
      await findLesson(tx, course, lessonId)
      await noteDone(tx, { orderLineId: id, userId: user.id, lessonId }, isDone)
      const parts = await readParts(tx, { userId: user.id, lineId: id, ...course })
      if (isComplete(parts))
        await certify(tx, { userId: user.id, lineId: id, course, lessons: lessonsOf(parts).length })
      return show(tx, user.id, id, course)
    })
  }),

  handlePublic(listPreviews, { limits: [{ per: 'address', count: 120, seconds: 60 }] }, ({ id }, { db }) =>
    readPreviews(db, id),
  ),
]

async function demand(db: Db | Tx, userId: string, lineId: string): Promise<TakenLine> {
  const course = await findTaken(db, userId, lineId)
  if (!course) throw MISSING
  return course
}

async function show(db: Db | Tx, userId: string, lineId: string, course: TakenLine): Promise<TakenCourse> {
  const parts = await readParts(db, { userId, lineId, ...course })
  const { boughtAt: _, ...rest } = course
  return {
    ...rest,
    parts: parts.map(({ openedAt: __, ...part }) => part),
    resumeId: resumeAt(parts),
    certificate: await findCertificate(db, userId, lineId),
  }
}

import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { findLesson, findTaken } from '../courses/learning.store.server.ts'
import { openGoods } from '../gate.server.ts'
import { chooseFile } from '../files/downloads.server.ts'
import { openGrants } from '../files/grants.server.ts'
import { getReading, keepPlace, openFile } from './reading.contract.ts'
import { readLine, savePlace } from './reading.store.server.ts'

const MISSING = new Failure(404, 'Not found')
const reads: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]
// a buyer may open a course of many lessons in one afternoon
const opens: Limit[] = [{ per: 'account', count: 300, seconds: 3600, isShared: true }]
// one each 10 s on several devices, and one for each hidden page
const places: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]

type ReadingQuery = { userId: string; lineId: string; fileId: string }

export function readingRoutes({ secret }: { secret: string }): Route[] {
  const { issue } = openGrants(secret)
  return [
    handle(getReading, { limits: reads }, ({ id }, { user, db }) => readLine(db, { userId: user.id, lineId: id })),

    handle(openFile, { limits: opens }, async ({ id, fileId }, { user, db, isProven: askProven }) => {
      const isProven = await askProven()
      return inTransaction(db, async (tx) => {
        const asked = { userId: user.id, lineId: id, fileId }
        const lessonId = await lessonOf(tx, asked)
        const delivery = lessonId ? 'course' : 'file'
        const entitlementId = await openGoods(tx, { userId: user.id, lineId: id, delivery, isProven, use: null })
        if (lessonId) await demandOpen(tx, asked, lessonId)
        else await chooseFile(tx, entitlementId, { fileId })
        const { url, expiresAt } = await issue(tx, user.id, { entitlementId, fileId, isZip: false })
        return { url: `${url}&reader`, expiresAt }
      })
    }),

    handle(keepPlace, { limits: places }, ({ id, ...kept }, { user, db }) =>
      inTransaction(db, async (tx) => {
        const asked = { userId: user.id, lineId: id, fileId: kept.fileId }
        const lessonId = await lessonOf(tx, asked)
        if (lessonId) await demandOpen(tx, asked, lessonId)
        else {
          const entitlementId = await openGoods(tx, {
            ...{ userId: user.id, lineId: id },
            ...{ delivery: 'file', isProven: true, use: null },
          })
          await chooseFile(tx, entitlementId, { fileId: kept.fileId })
        }
        return savePlace(tx, { ...asked, ...kept })
      }),
    ),
  ]
}

async function lessonOf(db: Db | Tx, { fileId }: ReadingQuery): Promise<string | undefined> {
  const found = await db.selectFrom('lessonFiles').select('lessonId').where('fileId', '=', fileId).executeTakeFirst()
  return found?.lessonId
}

/** Throws a Failure: 404 if the lesson is not part of the line's course, 409 before it opens. */
async function demandOpen(tx: Tx, { userId, lineId }: ReadingQuery, lessonId: string) {
  const course = await findTaken(tx, userId, lineId)
  if (!course) throw MISSING
  await findLesson(tx, course, lessonId)
}

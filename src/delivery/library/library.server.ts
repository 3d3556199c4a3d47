import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { archiveOwned, checkKept, listOwnedFiles, listOwnedParts, unarchiveOwned } from './library.contract.ts'
import { findGoOn } from './goOn.rules.ts'
import { LIBRARY_PAGE, listLibrary, type Owned, readGoOn } from './owned.contract.ts'
import { MAX_STAMPED_BYTES } from '../stamp/stamp.rules.ts'
import * as statements from './library.statements.server.ts'
import { only } from '../../kit/values/required.ts'

const limits: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]
const UNKNOWN = new Failure(404, 'Not found')

/** Home looks for something to go on with among this many goods that were opened last. */
const MAX_LOOKED_AT = 5

export const libraryRoutes: Route[] = [
  handle(readGoOn, { limits, fences: ['members'] }, async (_, { user, pool }) => {
    const asked = { kind: null, words: '', isArchived: false, limit: MAX_LOOKED_AT, after: null }
    const { json } = only(await statements.readLibrary(pool, { ...asked, userId: user.id, sort: 'opened' }))
    const goOn = findGoOn(JSON.parse(json) as Owned[])
    return goOn ? [goOn] : []
  }),

  handle(listLibrary, { limits, fences: ['members'] }, async (asked, { user, pool }) => {
    const { sort = 'newest', kind = null, q = '', archived, limit = LIBRARY_PAGE, after = null } = asked
    const words = q.replaceAll(/\s+/g, ' ')
    const { json, total, next } = only(
      await statements.readLibrary(pool, {
        userId: user.id,
        sort,
        kind,
        words,
        isArchived: archived === 'yes',
        limit,
        after,
      }),
    )
    const query = new URLSearchParams({ ...(asked as Record<string, string>), after: next ?? '' })
    return asJson(json, {
      'x-total-count': String(total),
      ...(next && { link: `</api/library?${query}>; rel="next"` }),
    })
  }),

  handle(listOwnedFiles, { limits }, async ({ id }, { user, pool }) => {
    const [line] = await statements.readOwnedFiles(pool, {
      ...{ userId: user.id, lineId: id },
      maxStampedBytes: MAX_STAMPED_BYTES,
    })
    if (!line?.json) throw UNKNOWN
    return asJson(line.json)
  }),

  handle(archiveOwned, { limits }, async ({ id }, { user, pool }) => {
    if ((await statements.setArchived(pool, { userId: user.id, lineId: id, isArchived: true })).length === 0)
      throw UNKNOWN
    return { isArchived: true }
  }),

  handle(unarchiveOwned, { limits }, async ({ id }, { user, pool }) => {
    if ((await statements.setArchived(pool, { userId: user.id, lineId: id, isArchived: false })).length === 0)
      throw UNKNOWN
    return { isArchived: false }
  }),

  handle(listOwnedParts, { limits }, async ({ id }, { user, pool }) => ({
    ids: (await statements.readOwnedParts(pool, { userId: user.id, bundleId: id })).map((part) => part.id),
  })),

  handle(checkKept, { limits }, async ({ ids }, { user, pool }) => ({
    ids: (await statements.readOpenLines(pool, { userId: user.id, lineIds: ids })).map(({ id }) => id),
  })),
]

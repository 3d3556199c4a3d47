import { asPage, readCursor } from '../../catalogue/shelf/cursor.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { listDiscountUses, USES_STEP } from './discountUses.contract.ts'
import * as statements from './discountUses.statements.server.ts'

const limits: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]
const CURSOR = 'discount uses'

export const discountUseRoutes: Route[] = [
  handle(listDiscountUses, { limits }, async ({ id, limit = USES_STEP, after }, { user, pool }) => {
    const [micros = null, orderId = null] = readCursor(after, CURSOR, ['number', 'id'])
    const before = {
      beforeMicros: micros === null ? null : Number(micros),
      beforeId: orderId === null ? null : String(orderId),
    }
    const [page] = await statements.listDiscountUses(pool, { sellerId: user.id, id, limit, ...before })
    if (!page) throw new Failure(404, 'Not found')
    return asPage(page, CURSOR, `/api/selling/discounts/${id}/uses`, { limit })
  }),
]

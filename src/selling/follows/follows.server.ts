import type { Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { only } from '../../kit/values/required.ts'
import { dismissNewProducts, listNewProducts, MAX_SHOWN_SELLERS, NEW_DAYS } from './newProducts.contract.ts'
import { followSeller, listFollowed, MAX_FOLLOWED, unfollowSeller } from './follows.contract.ts'
import * as statements from './follows.statements.server.ts'

const follows: Limit[] = [{ per: 'account', count: 60, seconds: 3600, isShared: true }]
/** Higher, so that a member can unfollow all sellers at once. */
const unfollows: Limit[] = [{ per: 'account', count: 600, seconds: 3600, isShared: true }]
const dismissals: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]

export const followRoutes: Route[] = [
  handle(listFollowed, async (_, { user, pool }) =>
    asJson(only(await statements.listFollowed(pool, { userId: user.id })).json),
  ),

  handle(followSeller, { limits: follows }, async ({ id, source }, { user, pool }) => {
    if (id === user.id) throw new Failure(409, 'You can’t follow yourself.', 'own_page')
    const given = { userId: user.id, sellerId: id, source, maxFollowed: MAX_FOLLOWED }
    const { hasPage, canFollow, isFollowed, isMailed } = only(await statements.addFollow(pool, given))
    if (!hasPage) throw new Failure(404, 'Seller not found')
    if (!canFollow) throw new Failure(409, 'You can’t follow this seller right now.', 'not_followable')
    if (!isFollowed) throw new Failure(409, `You can follow up to ${MAX_FOLLOWED} sellers.`, 'follows_full')
    return { isFollowed, isMailed }
  }),

  handle(unfollowSeller, { limits: unfollows }, async ({ id }, { user, db }) => {
    await db.deleteFrom('follows').where('userId', '=', user.id).where('sellerId', '=', id).execute()
    return { isFollowed: false }
  }),

  handle(listNewProducts, async (_, { user, pool }) =>
    asJson(
      only(await statements.listNewProducts(pool, { userId: user.id, days: NEW_DAYS, limit: MAX_SHOWN_SELLERS })).json,
    ),
  ),

  handle(dismissNewProducts, { limits: dismissals }, async ({ id, until }, { user, pool }) => {
    await statements.dismissNewProducts(pool, { userId: user.id, sellerId: id, until })
    return { id }
  }),
]

/** Deletes what an erased account follows, and its followers. */
export async function forgetFollowsOf(tx: Tx, userId: string) {
  await tx
    .deleteFrom('follows')
    .where(({ eb, or }) => or([eb('userId', '=', userId), eb('sellerId', '=', userId)]))
    .execute()
}

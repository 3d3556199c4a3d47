import type pg from 'pg'
import { type CurrentUser, getCurrentUser } from '../../identity/identity.contract.ts'
import type { Role } from '../../kit/contract.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle } from '../../kit/handle.server.ts'
import { readUser } from './currentUser.statements.server.ts'

export const userRoute = handle(getCurrentUser, async (_, { user, pool }) => {
  const json = await currentUser(pool, user.id, user.role)
  if (!user.view) return asJson(json)
  const view = { endsAt: user.view.endsAt.toISOString() }
  return asJson(JSON.stringify({ ...(JSON.parse(json) as CurrentUser), view }))
})

/** Returns `CurrentUser` as JSON, with the role of the session if given. Throws a 401 Failure for an unknown account. */
export async function currentUser(pool: pg.Pool, id: string, role: Role | null = null): Promise<string> {
  const [user] = await readUser(pool, { id, role })
  if (!user) throw new Failure(401, 'Unauthorized')
  return user.json
}

import type pg from 'pg'
import { getCurrentUser } from '../../identity/identity.contract.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle } from '../../kit/handle.server.ts'
import { readUser } from './currentUser.statements.server.ts'

export const userRoute = handle(getCurrentUser, async (_, { user, pool }) => asJson(await currentUser(pool, user.id)))

/** Returns `CurrentUser` as JSON. Throws a 401 Failure if the account does not exist. */
export async function currentUser(pool: pg.Pool, id: string): Promise<string> {
  const [user] = await readUser(pool, { id })
  if (!user) throw new Failure(401, 'Unauthorized')
  return user.json
}

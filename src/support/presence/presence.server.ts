import { Failure } from '../../kit/failure.ts'
import { handle } from '../../kit/handle.server.ts'
import { sendHere } from './presence.contract.ts'
import { notifyOfReader } from './presence.statements.server.ts'

export const presenceRoute = handle(
  sendHere,
  { limits: [{ per: 'account', count: 120, seconds: 60 }] },
  async ({ userId }, { user, pool }) => {
    const sent = await notifyOfReader(pool, { userId, staffId: user.id })
    if (sent.length === 0) throw new Failure(404, 'Not found')
    return { isDone: true }
  },
)

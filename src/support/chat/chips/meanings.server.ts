import type { Mind } from '../../../assistant/answers/answer.server.ts'
import { Failure } from '../../../kit/failure.ts'
import { handle, type Route } from '../../../kit/handle.server.ts'
import { rate } from '../answering.store.server.ts'
import { writeLimits } from '../chat.server.ts'
import { NOT_MEANT } from './chips.rules.ts'
import { findMeanings } from './meanings.contract.ts'
import { readMissed } from './meanings.statements.server.ts'

/** `mind` is null in a store where only people answer. */
export const meaningRoutes = (mind: Mind | null): Route[] => [
  handle(findMeanings, { limits: writeLimits }, async ({ messageId }, { user: { id: userId }, db, pool }) => {
    const [missed] = await readMissed(pool, { answerId: messageId, userId })
    if (!missed || !mind) throw new Failure(404, 'Not found')
    await rate(db, userId, messageId, -1, missed.hasReason ? undefined : NOT_MEANT)
    return { meanings: await mind.meanings({ userId, text: missed.message, frame: null }, missed) }
  }),
]

import type { Tx } from '../kit/database.server.ts'
import { type Asked, collectFacts } from './facts.server.ts'
import { judge } from './score.rules.ts'
import { readWeights } from './weights.server.ts'

export type Stage = 'start' | 'paid'

/** Judges a purchase by its current facts and stores the decision with its reasons. */
export async function decideOn(tx: Tx, stage: Stage, asked: Asked) {
  const { facts, rushProductId } = await collectFacts(tx, asked)
  const { weights, version } = await readWeights(tx)
  const judgement = judge(facts, weights)
  const { id } = await tx
    .insertInto('riskDecisions')
    .values({
      orderId: asked.orderId,
      userId: asked.userId,
      stage,
      decision: judgement.decision,
      score: judgement.score,
      reasons: JSON.stringify(judgement.reasons),
      facts: JSON.stringify(facts),
      weightsVersion: version,
      network: asked.network,
      instrument: asked.payer.instrument,
      country: asked.country,
      rushProductId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, facts, weights, ...judgement }
}

/** The buyer's network at the last judgement. Jobs and webhooks carry no address of the buyer. */
export async function lastPlaceOf(tx: Tx, orderId: string) {
  const last = await tx
    .selectFrom('riskDecisions')
    .select(['network', 'country'])
    .where('orderId', '=', orderId)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ?? { network: null, country: null }
}

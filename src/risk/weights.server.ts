import { recordAct } from '../identity/audit/audit.server.ts'
import { codeOf, type Db, inTransaction, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import * as statements from './riskDecisions.statements.server.ts'
import type { WeightsEffect } from './riskReview.contract.ts'
import { DEFAULT_WEIGHTS, judge, type Weights } from './score.rules.ts'

type Versioned = { version: number; weights: Weights }
type SavedWeights = { version: number; weights: unknown }

/** Returns the active weights and their version. Version 0 is the default. */
export async function readWeights(db: Db | Tx): Promise<Versioned> {
  const newest = await db
    .selectFrom('riskWeights')
    .select(['version', 'weights'])
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return asVersioned(newest)
}

/** Rules that are newer than the saved weights have their default weight. */
export const asVersioned = (newest: SavedWeights | null | undefined): Versioned => ({
  version: newest?.version ?? 0,
  weights: { ...DEFAULT_WEIGHTS, ...(newest?.weights as Partial<Weights>) },
})

/** Saves the next version. Throws a 409 Failure if `version` is not the newest. */
export async function writeWeights(db: Db, actorId: string, version: number, weights: Weights): Promise<Versioned> {
  const outrun = new Failure(409, 'Someone else just saved new weights. Review them first.', 'outrun')
  const next = version + 1
  try {
    await inTransaction(db, async (tx) => {
      if ((await readWeights(tx)).version !== version) throw outrun
      await tx
        .insertInto('riskWeights')
        .values({ version: next, weights: JSON.stringify(weights), madeBy: actorId })
        .execute()
      await recordAct(tx, { actorId, act: 'risk.weights', subjectId: `version ${next}` })
    })
  } catch (error) {
    throw codeOf(error) === '23505' ? outrun : error
  }
  return { version: next, weights }
}

const LAST_ORDERS = 1000
const MAX_SHOWN = 20

/** Re-evaluates recent orders from their stored facts, with the active weights and with the draft. */
export async function showEffect(db: Db, weights: Weights): Promise<WeightsEffect> {
  const current = (await readWeights(db)).weights
  const rows = await statements.listFacts(db, { most: LAST_ORDERS })
  const tally = () => ({ allow: 0, step_up: 0, hold: 0, refuse: 0 })
  const effect: WeightsEffect = { orders: rows.length, now: tally(), tried: tally(), changed: [] }
  for (const { orderId, facts } of rows) {
    const now = judge(facts, current).decision
    const tried = judge(facts, weights).decision
    effect.now[now] += 1
    effect.tried[tried] += 1
    if (now !== tried && effect.changed.length < MAX_SHOWN) effect.changed.push({ orderId, now, tried })
  }
  return effect
}

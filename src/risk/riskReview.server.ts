import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { tidyEmail } from '../identity/accounts/email.rules.ts'
import { OWN_PURCHASE, recordAct } from '../identity/audit/audit.server.ts'
import { type Db, inTransaction, now } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, handle, type Route } from '../kit/handle.server.ts'
import { toDecimal } from '../kit/money.ts'
import { pausePayments } from './blocks.server.ts'
import * as statements from './riskBlocks.statements.server.ts'
import { confirmOrder } from './hold.contract.ts'
import { DECIDED, lockHold, resolveHold } from './holds.server.ts'
import type { Risk } from './risk.server.ts'
import {
  addBlock,
  approveCase,
  CASES_AT_ONCE,
  getWeights,
  liftBlock,
  listBlocks,
  listRiskCases,
  refuseCase,
  REFUSED_DAYS,
  type RiskBlock,
  type RiskCase,
  saveWeights,
  tryWeights,
} from './riskReview.contract.ts'
import { readWeights, showEffect, writeWeights } from './weights.server.ts'

export function riskRoutes(risk: Pick<Risk, 'networkOf'>): Route[] {
  return [
    handle(
      confirmOrder,
      { limits: [{ per: 'account', count: 10, seconds: 60, isShared: true }] },
      ({ id }, { user, db }) => confirm(db, user.id, id),
    ),

    handle(listRiskCases, async ({ state, limit = CASES_AT_ONCE }, { db }) => {
      const { cases, total } = await readCases(db, state === 'open', limit)
      return asJson(JSON.stringify(cases), { 'x-total-count': String(total) })
    }),
    handle(approveCase, ({ orderId }, { user, db }) => decide(db, orderId, user.id, 'approved')),
    handle(refuseCase, ({ orderId }, { user, db }) => decide(db, orderId, user.id, 'refused')),

    handle(listBlocks, (_, { db }) => readBlocks(db)),
    handle(addBlock, async ({ who, reason, hours }, { user, db }) => {
      const found = who.includes('@') ? await accountOf(db, who) : networkNamed(risk, who)
      await inTransaction(db, (tx) => pausePayments(tx, { ...found, reason, madeBy: user.id, hours }))
      return readBlocks(db)
    }),
    handle(liftBlock, async ({ id }, { user, db }) => {
      await inTransaction(db, async (tx) => {
        const lifted = await tx
          .updateTable('riskBlocks')
          .set({ liftedAt: now, liftedBy: user.id })
          .where('id', '=', id)
          .where('liftedAt', 'is', null)
          .returning(['kind', 'subject'])
          .executeTakeFirst()
        if (!lifted) throw new Failure(404, 'Not found')
        const details = { kind: lifted.kind }
        await recordAct(tx, { actorId: user.id, act: 'risk.lifted', subjectId: lifted.subject, details })
      })
      return readBlocks(db)
    }),

    handle(getWeights, (_, { db }) => readWeights(db)),
    handle(tryWeights, { limits: [{ per: 'account', count: 30, seconds: 60 }] }, ({ weights }, { db }) =>
      showEffect(db, weights),
    ),
    handle(saveWeights, ({ version, weights }, { user, db }) => writeWeights(db, user.id, version, weights)),
  ]
}

async function confirm(db: Db, userId: string, orderId: string) {
  return inTransaction(db, async (tx) => {
    const holds = [await lockHold(tx, orderId, 'step_up'), await lockHold(tx, orderId, 'hold')]
    const own = holds.filter((hold) => hold?.userId === userId)
    if (own.length === 0) throw new Failure(404, 'Not found')
    // staff or the expiry decided first: report the conflict instead of success
    if (own.some((hold) => hold?.state === 'refused')) throw DECIDED
    let isReleased = true
    for (const hold of own) {
      if (hold?.state !== 'open') continue
      if (hold.kind === 'step_up' || hold.isClearedByConfirming) await resolveHold(tx, hold, 'confirmed', userId)
      else isReleased = false
    }
    return { isReleased }
  })
}

async function decide(db: Db, orderId: string, actorId: string, how: 'approved' | 'refused') {
  await inTransaction(db, async (tx) => {
    const hold = await lockHold(tx, orderId, 'hold')
    if (!hold) throw new Failure(404, 'Not found')
    if (hold.userId === actorId) throw OWN_PURCHASE
    await resolveHold(tx, hold, how, actorId)
    await recordAct(tx, { actorId, act: `risk.${how}`, subjectId: orderId })
    if (how !== 'refused') return
    // the buyer must not retry with a smaller order; staff can lift the block
    const reason = 'A purchase of this account was refused'
    await pausePayments(tx, {
      kind: 'account',
      subject: hold.userId,
      reason,
      madeBy: actorId,
      hours: REFUSED_DAYS * 24,
    })
  })
  return {}
}

async function readCases(db: Db, isOpen: boolean, limit: number) {
  const rows = await db
    .selectFrom('riskHolds as hold')
    .innerJoin('riskDecisions as decision', 'decision.id', 'hold.decisionId')
    .innerJoin('orders', 'orders.id', 'hold.orderId')
    .innerJoin('users', 'users.id', 'hold.userId')
    .select(['hold.orderId', 'hold.createdAt', 'hold.endsAt', 'hold.state', 'hold.resolvedHow', 'hold.resolvedAt'])
    .select(['decision.score', 'decision.reasons', 'decision.facts', 'orders.totalCents', 'users.email as buyer'])
    .select((row) =>
      row
        .selectFrom('riskHolds')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('kind', '=', 'hold')
        .where('state', isOpen ? '=' : '<>', 'open')
        .as('total'),
    )
    .select((row) =>
      jsonArrayFrom(
        row
          .selectFrom('orderLines')
          .select(['title', 'quantity'])
          .whereRef('orderLines.orderId', '=', 'hold.orderId')
          .orderBy('position'),
      ).as('lines'),
    )
    .where('hold.kind', '=', 'hold')
    .where('hold.state', isOpen ? '=' : '<>', 'open')
    .orderBy(isOpen ? 'hold.endsAt' : 'hold.resolvedAt', isOpen ? 'asc' : 'desc')
    .orderBy('hold.id')
    .limit(limit)
    .execute()
  const cases = rows.map(
    ({ total: _, totalCents, createdAt, endsAt, resolvedAt, reasons, facts, ...row }): RiskCase => ({
      ...row,
      total: toDecimal(totalCents),
      reasons: reasons as RiskCase['reasons'],
      facts: facts as RiskCase['facts'],
      createdAt: createdAt.toISOString(),
      endsAt: endsAt.toISOString(),
      resolvedAt: resolvedAt?.toISOString() ?? null,
    }),
  )
  return { cases, total: rows[0]?.total ?? 0 }
}

async function readBlocks(db: Db): Promise<RiskBlock[]> {
  const rows = await statements.listBlocks(db, {})
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }))
}

async function accountOf(db: Db, email: string) {
  const owner = await db.selectFrom('users').select('id').where('email', '=', tidyEmail(email)).executeTakeFirst()
  if (!owner) throw new Failure(404, 'We couldn’t find an account with this address.', 'unknown_account')
  return { kind: 'account' as const, subject: owner.id }
}

function networkNamed({ networkOf }: Pick<Risk, 'networkOf'>, ip: string) {
  const subject = networkOf(ip)
  if (!subject) throw new Failure(400, 'Enter an email address or a public IP address.', 'not_public')
  return { kind: 'network' as const, subject }
}

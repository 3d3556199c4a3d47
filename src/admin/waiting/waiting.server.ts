import { sql } from 'kysely'
import { isAllowed } from '../../kit/contract.ts'
import type { Db } from '../../kit/database.server.ts'
import { handle } from '../../kit/handle.server.ts'
import { mayOpen } from '../adminPages.ts'
import { listWaiting, WAITING, type WaitingKind } from './waiting.contract.ts'

/** Each count reads a partial index of open rows, never a whole table. */
const COUNTS = {
  chats: sql`SELECT count(*) FROM chat_conversations WHERE waiting_since IS NOT NULL`,
  refundApprovals: sql`SELECT count(*) FROM refund_approvals WHERE state = 'waiting'`,
  refundRequests: sql`SELECT count(*) FROM refund_requests WHERE state = 'open'`,
  reports: sql`SELECT count(*) FROM report_cases WHERE is_waiting`,
  codeCases: sql`SELECT count(*) FROM code_cases WHERE state = 'staff'`,
  riskHolds: sql`SELECT count(*) FROM risk_holds WHERE state = 'open' AND kind = 'hold'`,
  disputes: sql`SELECT count(*) FROM disputes d WHERE d.ended_at IS NULL AND (needs_answer(d) OR is_missing(d))`,
  payouts: sql`SELECT count(*) FROM payouts WHERE state = 'requested'`,
  transfers: sql`SELECT count(*) FROM usdc_exceptions WHERE state = 'open'`,
} satisfies Record<WaitingKind, unknown>

/** Only finance decides about refunds; every role sees the orders. */
const NEEDS_FINANCE = new Set<WaitingKind>(['refundApprovals', 'refundRequests'])

export const waitingRoute = handle(
  listWaiting,
  { limits: [{ per: 'account', count: 120, seconds: 60 }] },
  async (_, { user, db }) => {
    const kinds = (Object.keys(WAITING) as WaitingKind[]).filter(
      (kind) => mayOpen(WAITING[kind], user.role) && (!NEEDS_FINANCE.has(kind) || isAllowed('finance', user.role)),
    )
    return countAll(db, kinds)
  },
)

async function countAll(db: Db, kinds: WaitingKind[]) {
  const columns = kinds.map((kind) => sql`(${COUNTS[kind]})::int AS ${sql.ref(kind)}`)
  const { rows } = await sql<Record<WaitingKind, number>>`SELECT ${sql.join(columns)}`.execute(db)
  return kinds.map((kind) => ({ kind, count: rows[0]?.[kind] ?? 0 }))
}

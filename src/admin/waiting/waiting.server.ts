import { isAllowed, type Role } from '../../kit/contract.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { toDecimal } from '../../kit/money.ts'
import { mayOpen } from '../adminPages.ts'
import { ITEMS_OF_KIND, listOpenItems, listWaiting, WAITING, type WaitingKind } from './waiting.contract.ts'
import { countOpenWork, listOpenWork } from './waiting.statements.server.ts'

/** Only finance decides about refunds; every role sees the orders. */
const NEEDS_FINANCE = new Set<WaitingKind>(['refundApprovals', 'refundRequests'])

const kindsOf = (role: Role) =>
  (Object.keys(WAITING) as WaitingKind[]).filter(
    (kind) => mayOpen(WAITING[kind], role) && (!NEEDS_FINANCE.has(kind) || isAllowed('finance', role)),
  )

const limits = [{ per: 'account', count: 120, seconds: 60 }] as const

export const waitingRoutes: Route[] = [
  handle(listWaiting, { limits: [...limits] }, async (_, { user, pool }) => {
    const kinds = kindsOf(user.role)
    const counted = await countOpenWork(pool, { kinds, readerId: user.id })
    return kinds.map((kind) => {
      const { count = 0, mine = 0, oldestAt } = counted.find((one) => one.kind === kind) ?? {}
      return { kind, count, mine, oldestAt: oldestAt?.toISOString() ?? null }
    })
  }),

  handle(listOpenItems, { limits: [...limits] }, async (_, { user, pool }) => {
    const items = await listOpenWork(pool, { kinds: kindsOf(user.role), readerId: user.id, most: ITEMS_OF_KIND })
    return items.map(({ cents, since, dueAt, ...item }) => ({
      ...item,
      amount: cents === null ? null : toDecimal(cents),
      since: since.toISOString(),
      dueAt: dueAt?.toISOString() ?? null,
    }))
  }),
]

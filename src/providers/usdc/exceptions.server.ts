import { OWN_PURCHASE, recordAct } from '../../identity/audit/audit.server.ts'
import type { Act } from '../../identity/audit/audit.rules.ts'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { addJob, laneOf } from '../../kit/jobs.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { endException, writeOff } from './level.server.ts'
import {
  type ExceptionQueue,
  listExceptions,
  MANY_EXCEPTIONS,
  markSent,
  type QueuedException,
  settleLate,
  writeOffLoss,
} from './transfers.contract.ts'
import { acceptLate, findAddressOf, showException, WAIT_HOURS } from './transfers.store.server.ts'
import { formatUnits, networkName, unitsOf } from './units.rules.ts'
import { only, required } from '../../kit/values/required.ts'
import * as statements from './usdcExceptions.statements.server.ts'

// The exceptions queue of staff. It works without USDC settings, because money may wait after an operator removed them.

const limits: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]
const NOT_FOUND = new Failure(404, 'Not found')
const DECIDED = new Failure(409, 'This was decided meanwhile. Please look again.', 'decided')
const NEW_ADDRESS = new Failure(
  409,
  `The buyer has changed the address. It waits ${WAIT_HOURS} hours, in case someone else changed it.`,
  'address_new',
)
const NO_ADDRESS = new Failure(409, 'The buyer has not given an address yet.', 'address_missing')
const NOT_LATE = new Failure(409, 'Only a late payment of the whole amount can complete its order.', 'not_late')
const NO_LOSS = new Failure(409, 'Nothing is lost here.', 'no_loss')

export const exceptionRoutes: Route[] = [
  handle(listExceptions, async ({ queue }, { user, db }) => ({
    exceptions: await readQueue(db, queue, user.id),
    trouble: await readTrouble(db),
  })),

  handle(markSent, { limits }, ({ id, txHash }, { user, db }) =>
    decide(
      db,
      id,
      user.id,
      async (tx, found) => {
        if (found.kind === 'reorganised') throw DECIDED
        if (!found.refundAddress) throw NO_ADDRESS
        if (found.isWaiting) throw NEW_ADDRESS
        await tx
          .updateTable('usdcExceptions')
          .set({ state: 'sent', txHash, problem: null })
          .where('id', '=', id)
          .execute()
        return 'transfer.sent'
      },
      true,
    ),
  ),

  handle(settleLate, { limits }, ({ id }, { user, db }) =>
    decide(db, id, user.id, async (tx, { kind, paymentId }) => {
      if (kind !== 'late') throw NOT_LATE
      await acceptLate(tx, paymentId)
      await addJob(
        tx,
        'hear_payment',
        { id: paymentId },
        { key: `hear_payment:${paymentId}`, queue: laneOf('usdc', paymentId) },
      )
      return 'transfer.settled'
    }),
  ),

  handle(writeOffLoss, { limits }, ({ id }, { user, db }) =>
    decide(db, id, user.id, async (tx, { kind, paymentId, amountCents }) => {
      if (kind !== 'reorganised') throw NO_LOSS
      await writeOff(tx, paymentId, amountCents)
      await endException(tx, id, 'written_off')
      return 'transfer.written_off'
    }),
  ),
]

type FoundException = {
  kind: QueuedException['kind']
  paymentId: string
  amountCents: number
  refundAddress: string | null
  isWaiting: boolean
}

async function decide(
  db: Db,
  id: string,
  staffId: string,
  work: (tx: Tx, found: FoundException) => Promise<Act>,
  /** Staff may replace an unverified transaction: a wallet may have replaced the transaction too. */
  isCorrecting = false,
): Promise<{ id: string }> {
  await inTransaction(db, async (tx) => {
    const [known] = await statements.findOrderOf(tx, { id })
    if (!known) throw NOT_FOUND
    if (known.userId === staffId) throw OWN_PURCHASE
    // lock order of `level`: payment first, then exception
    await statements.lockPayment(tx, { id: known.paymentId })
    const found = only(await statements.lockException(tx, { id }))
    const { acceptedAt } = required(await findAddressOf(tx, known.paymentId), 'the address of the payment')
    // staff accepted this late payment, so it completes its order instead of going back
    const isOpen = found.state === 'open' || (isCorrecting && found.state === 'sent')
    if (!isOpen || (found.kind === 'late' && acceptedAt)) throw DECIDED
    const act = await work(tx, found)
    const details = { amount: formatUnits(unitsOf(found.amountCents)), kind: found.kind }
    await recordAct(tx, { actorId: staffId, act, subjectId: known.orderId, details })
  })
  return { id }
}

async function readQueue(db: Db, queue: ExceptionQueue, staffId: string): Promise<QueuedException[]> {
  const rows = await statements.listExceptions(db, { isDone: queue !== 'open', most: MANY_EXCEPTIONS })
  return rows.map(({ userId, units, chainId, receivedUnits, createdAt, doneAt, ...row }) => ({
    ...showException(row),
    due: formatUnits(units),
    received: formatUnits(receivedUnits),
    network: networkName(chainId),
    createdAt: createdAt.toISOString(),
    doneAt: doneAt?.toISOString() ?? null,
    isOwn: userId === staffId,
  }))
}

async function readTrouble(db: Db): Promise<{ why: string; since: string } | null> {
  const stopped = await db
    .selectFrom('usdcCursors')
    .select(['trouble', 'troubleAt'])
    .where('isAlarmed', '=', true)
    .where('troubleAt', '<', now)
    .executeTakeFirst()
  return stopped?.trouble && stopped.troubleAt ? { why: stopped.trouble, since: stopped.troubleAt.toISOString() } : null
}

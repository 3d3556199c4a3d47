import { recordAct } from '../../identity/audit/audit.server.ts'
import type { Db, Tx } from '../../kit/database.server.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { only } from '../../kit/values/required.ts'
import { mailMember, type Mailing } from '../../notifications/mail/caseMail.server.ts'
import { getStaffMessages, listStaffThreads, MANY_MESSAGES, MANY_THREADS, settleMessages } from './messages.contract.ts'
import * as statements from './staffMessages.statements.server.ts'

// Support reads the messages of buyers and sellers, and decides about reports.

const limits: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]

const OWN = new Failure(403, 'You are a side of this thread. Another member of staff decides.', 'own')

export const staffMessageRoutes = (mailing: Mailing): Route[] => [
  handle(listStaffThreads, { limits }, async ({ memberId, orderId, show }, { user, pool }) => {
    const page = { readerId: user.id, most: MANY_THREADS }
    if (memberId) return asJson(only(await statements.listThreadsOfMember(pool, { memberId, ...page })).json)
    if (orderId) return asJson(only(await statements.listThreadsOfOrder(pool, { orderId, ...page })).json)
    if (show) return asJson(only(await statements.listReportedThreads(pool, page)).json)
    return []
  }),

  handle(getStaffMessages, { limits }, async ({ id }, { user, db }) => {
    const { isOwn, messages, reports } = await findThread(db, id, user.id)
    if (isOwn) return { messages, reports: [] }
    if (reports.every(({ closedAt }) => closedAt !== null))
      await inTransaction(db, (tx) => recordAct(tx, { actorId: user.id, act: 'messages.read', subjectId: id }))
    return { messages, reports }
  }),

  handle(settleMessages, { limits }, async ({ id, isEnded }, { user, db }) => {
    if ((await findThread(db, id, user.id)).isOwn) throw OWN
    await inTransaction(db, async (tx) => {
      await statements.setEnded(tx, { id, isEnded })
      await recordAct(tx, { actorId: user.id, act: isEnded ? 'messages.ended' : 'messages.closed', subjectId: id })
      const closed = await statements.closeReports(tx, { id, userId: user.id })
      for (const report of closed) await mailReporter(tx, mailing, report, isEnded)
    })
    return { id }
  }),
]

async function findThread(db: Db, id: string, readerId: string) {
  const [thread] = await statements.findStaffThread(db, { id, readerId, limit: MANY_MESSAGES })
  if (!thread) throw new Failure(404, 'Not found')
  return thread
}

const mailReporter = (tx: Tx, mailing: Mailing, { id, reporterId }: statements.CloseReportsRow, isEnded: boolean) =>
  mailMember(tx, mailing, reporterId, {
    key: `messages-report-closed:${id}`,
    subject: 'We read the messages that you reported',
    lines: [
      isEnded
        ? 'We ended the thread. The other side can’t write to you.'
        : 'We closed your report. The thread stays ended until you open it again.',
      'Write to us in the chat if you have questions.',
    ],
  })

import {
  answerCase,
  decideCase,
  listCases,
  listOwnCases,
  reportCode,
  revealCase,
  revealCaseAsStaff,
  type CodeCase,
} from '../../delivery/cases/cases.contract.ts'
import {
  type CaseRow,
  endCase,
  findCase,
  findSealed,
  followRefunds,
  handToStaff,
  lockLateCases,
  openCase,
  readCases,
} from '../../delivery/cases/cases.store.server.ts'
import { findRevealed } from '../../delivery/codes/codes.server.ts'
import { maskOf } from '../../delivery/codes/codeLines.rules.ts'
import type { CodeVault } from '../../delivery/codes/vault.server.ts'
import { OWN_PURCHASE, recordAct } from '../../identity/audit/audit.server.ts'
import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { APPROVAL_NEEDED } from '../refunds/refund.server.ts'
import { closeCase, DECIDED, demandOpen, isTooLarge, passToStaff, settleCase } from './decide.server.ts'
import { notifyOfCase } from './case.mail.server.ts'
import { firstOf } from '../../kit/values/required.ts'

const UNKNOWN = new Failure(404, 'Not found')
const REPORTED = new Failure(409, 'You have reported this code already.', 'reported')
const SECOND_PERSON = new Failure(
  409,
  'A refund this large needs a second member of staff. Ask for it on the page of the order; this report closes with it.',
  APPROVAL_NEEDED,
)
const NO_WORDS = new Failure(400, 'words: Say why', 'invalid', { details: { field: 'words' } })

const reports: Limit[] = [{ per: 'account', count: 20, seconds: 86_400, isShared: true }]
const reads: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]
const answers: Limit[] = [{ per: 'account', count: 60, seconds: 3600, isShared: true }]

export function caseRoutes(checkout: Checkout, vault: CodeVault): Route[] {
  const { db, config } = checkout

  const masks = { maskOf: (ciphertext: Buffer) => maskOf(vault.openCode(ciphertext) ?? '') }

  const show = async (id: string): Promise<CodeCase> => firstOf((await readCases(db, { ...masks, id })).cases)

  const reveal = (found: CaseRow, actorId: string) =>
    inTransaction(db, async (tx) => {
      await recordAct(tx, { actorId, act: 'report.code_revealed', subjectId: found.id })
      return vault.open(await findSealed(tx, found.codeId))
    })

  return [
    handle(reportCode, { limits: reports }, ({ id: orderId, lineId, codeId, reason, note = '' }, { user }) =>
      inTransaction(db, async (tx) => {
        const code = await findRevealed(tx, { userId: user.id, orderId, lineId, codeId })
        if (!code) throw UNKNOWN
        const hours = config.codeCaseHours
        const opened = await openCase(tx, { codeId, userId: user.id, reason, note, hours })
        if (!opened) throw REPORTED
        await notifyOfCase(tx, checkout, opened, 'opened')
        return { state: opened.state, answerBy: opened.answerBy.toISOString(), words: '' }
      }),
    ),

    handle(listOwnCases, { limits: reads }, ({ queue, after }, { user }) =>
      readCases(db, { ...masks, sellerId: user.id, queue, after }),
    ),

    handle(revealCase, { limits: answers }, async ({ id }, { user }) => {
      const found = await findCase(db, id)
      if (found?.sellerId !== user.id) throw UNKNOWN
      return reveal(found, user.id)
    }),

    handle(revealCaseAsStaff, { limits: answers }, async ({ id }, { user }) => {
      const found = await findCase(db, id)
      if (!found || found.state === 'seller') throw UNKNOWN
      if (user.id === found.userId || user.id === found.sellerId) throw OWN_PURCHASE
      return reveal(found, user.id)
    }),

    handle(answerCase, { limits: answers }, async ({ id, act, words = '' }, { user }) => {
      const found = await findCase(db, id)
      if (found?.sellerId !== user.id) throw UNKNOWN
      if (found.state !== 'seller') throw DECIDED
      if (act === 'decline') {
        if (words === '') throw NO_WORDS
        await inTransaction(db, async (tx) => {
          await demandOpen(tx, id, { isStaff: false })
          await passToStaff(tx, checkout, found, words)
        })
      } else
        try {
          await settleCase(checkout, found, act, { by: user.id, words, isStaff: false })
        } catch (error) {
          // a refund above the limit needs two members of staff: the seller agrees, and staff decide
          if (!isTooLarge(error)) throw error
          await inTransaction(db, async (tx) => {
            await demandOpen(tx, id, { isStaff: false })
            await passToStaff(tx, checkout, found, words || 'The seller agrees to a refund.')
          })
        }
      return show(id)
    }),

    handle(listCases, { limits: reads }, ({ queue, after }) => readCases(db, { ...masks, queue, after })),

    handle(decideCase, { limits: answers }, async ({ id, act, words = '' }, { user }) => {
      const found = await findCase(db, id)
      if (!found || found.state === 'seller') throw UNKNOWN
      if (user.id === found.userId || user.id === found.sellerId) throw OWN_PURCHASE
      if (found.state !== 'staff') throw DECIDED
      if (act === 'reject') {
        if (words === '') throw NO_WORDS
        await inTransaction(db, async (tx) => {
          await demandOpen(tx, id, { isStaff: true })
          await closeCase(tx, checkout, found, 'rejected', { by: user.id, words, isStaff: true })
        })
      } else
        try {
          await settleCase(checkout, found, act, { by: user.id, words, isStaff: true })
        } catch (error) {
          throw isTooLarge(error) ? SECOND_PERSON : error
        }
      return show(id)
    }),
  ]
}

const AT_ONCE = 50

export const caseJobs = (checkout: Checkout): Job[] => [
  {
    name: 'move_code_cases',
    pool: 'other',
    cron: '* * * * *',
    run: async () => {
      // follow refunds first: a case whose code was refunded must close, not move to staff
      while ((await inTransaction(checkout.db, (tx) => follow(tx, checkout))) === AT_ONCE);
      while ((await inTransaction(checkout.db, (tx) => moveOn(tx, checkout))) === AT_ONCE);
    },
  },
]

async function follow(tx: Tx, checkout: Checkout): Promise<number> {
  const { count, failed } = await followRefunds(tx, AT_ONCE)
  for (const found of failed) await notifyOfCase(tx, checkout, found, 'failed')
  return count
}

/** Moves cases past their deadline to staff, and closes cases whose code was revoked. */
async function moveOn(tx: Tx, checkout: Checkout): Promise<number> {
  const late = await lockLateCases(tx, AT_ONCE)
  for (const found of late) {
    if (found.isGone) await endCase(tx, found.id, { state: 'over', words: '', decidedBy: null })
    else {
      await handToStaff(tx, found.id, '')
      await notifyOfCase(tx, checkout, found, 'escalated')
    }
  }
  return late.length
}

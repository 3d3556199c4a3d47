import type { Selectable } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import type { CodeCasesTable } from '../../kit/tables.ts'
import { type CodeCase, CASES_PAGE } from './cases.contract.ts'
import type { CaseReason, CodeCaseState } from './cases.rules.ts'
import { queueSettling } from '../codes/stock.store.server.ts'
import * as statements from './cases.statements.server.ts'

export type CaseRow = Selectable<CodeCasesTable>

type Opened = { codeId: string; userId: string; reason: CaseReason; note: string; hours: number }

export async function openCase(tx: Tx, opened: Opened): Promise<CaseRow | undefined> {
  return (await statements.insertCase(tx, opened))[0]
}

export const findCase = (db: Db | Tx, id: string): Promise<CaseRow | undefined> =>
  db.selectFrom('codeCases').selectAll().where('id', '=', id).executeTakeFirst()

export const lockCase = (tx: Tx, id: string): Promise<CaseRow> =>
  tx.selectFrom('codeCases').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

type Decision = {
  state: CodeCaseState
  words: string
  decidedBy: string | null
  replacementId?: string
  refundId?: string
}

export async function endCase(tx: Tx, id: string, decision: Decision) {
  await tx
    .updateTable('codeCases')
    .set({ ...decision, decidedAt: now })
    .where('id', '=', id)
    .execute()
}

export async function handToStaff(tx: Tx, id: string, sellerWords: string) {
  await tx.updateTable('codeCases').set({ state: 'staff', sellerWords }).where('id', '=', id).execute()
}

export const lockLateCases = (tx: Tx, limit: number) => statements.lockLateCases(tx, { limit })

/**
 * Cases follow their refunds: those whose refund was made have ended, also when the provider refused it at first; those whose
 * refund failed are with staff again. Answers how many there were, and those that staff decide again. Other nodes skip them.
 */
export async function followRefunds(tx: Tx, limit: number): Promise<{ count: number; failed: CaseRow[] }> {
  const rows = await statements.followRefunds(tx, { limit })
  return { count: rows.length, failed: rows.filter(({ state }) => state === 'staff') }
}

/** The bad code leaves its owner and the next one of the stock takes its place. Answers its id, undefined without stock. */
export async function replaceCode(tx: Tx, codeId: string): Promise<string | undefined> {
  const [given] = await statements.replaceCode(tx, { codeId })
  if (given) await queueSettling(tx, given.productId)
  return given?.id
}

export const findSealed = (tx: Tx, id: string) =>
  tx.selectFrom('codes').select(['ciphertext', 'sealedParts']).where('id', '=', id).executeTakeFirstOrThrow()

export const findCode = (tx: Tx, id: string) =>
  tx.selectFrom('codes').select(['productId', 'state']).where('id', '=', id).executeTakeFirstOrThrow()

type CasePage = { sellerId?: string; queue: 'open' | 'ended'; after?: string | undefined }
/** `maskOf` returns the end of a stored code. */
type CaseQuery = { maskOf: (ciphertext: Buffer) => string } & ({ id: string } | CasePage)

/** Open cases by their deadline, ended ones newest first. Staff see those that the seller left or declined. */
export async function readCases(db: Db | Tx, { maskOf, ...query }: CaseQuery) {
  const rows = 'id' in query ? await statements.readCase(db, query) : await readPage(db, query)
  const cases: CodeCase[] = rows
    .slice(0, CASES_PAGE)
    .map(({ ciphertext, ...found }) => ({ ...found, mask: maskOf(ciphertext) }))
  return { cases, hasMore: rows.length > CASES_PAGE }
}

function readPage(db: Db | Tx, { sellerId, queue, after }: CasePage) {
  const page = { sellerId: sellerId ?? null, after: after ?? null, limit: CASES_PAGE + 1 }
  return queue === 'open' ? statements.readOpenCases(db, page) : statements.readEndedCases(db, page)
}

export async function forgetCasesOf(tx: Tx, userId: string) {
  await tx.updateTable('codeCases').set({ note: '' }).where('userId', '=', userId).execute()
  await tx.updateTable('codeCases').set({ sellerWords: '' }).where('sellerId', '=', userId).execute()
}

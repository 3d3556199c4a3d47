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
 * Updates cases after their refunds. A completed refund closes its case, even if the provider rejected it first. A
 * failed refund returns its case to staff. Skips cases that other nodes lock. Returns their number and the failed ones.
 */
export async function followRefunds(tx: Tx, limit: number): Promise<{ count: number; failed: CaseRow[] }> {
  const rows = await statements.followRefunds(tx, { limit })
  return { count: rows.length, failed: rows.filter(({ state }) => state === 'staff') }
}

/** Replaces the bad code of an owner by the next one in stock. Returns its id, or undefined without stock. */
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
/** `maskOf` returns the last digits of a stored code. */
type CaseQuery = { maskOf: (ciphertext: Buffer) => string } & ({ id: string } | CasePage)

/** Open cases by deadline, closed cases newest first. Staff see cases that the seller ignored or declined. */
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

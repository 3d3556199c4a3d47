import { type Selectable, sql } from 'kysely'
import { IS_FREE_CODE } from '../../catalogue/product.sql.server.ts'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { isoOf } from '../../kit/sql/json.server.ts'
import type { CodeCasesTable } from '../../kit/tables.ts'
import { type CodeCase, CASES_PAGE } from './cases.contract.ts'
import type { CaseReason, CodeCaseState } from './cases.rules.ts'
import { queueSettling } from '../codes/stock.store.server.ts'

export const REPORT = `json_build_object('state', k.state, 'answerBy', ${isoOf('k.answer_by')}, 'words', k.words)`

export type CaseRow = Selectable<CodeCasesTable>

type Opened = { codeId: string; userId: string; reason: CaseReason; note: string; hours: number }

export async function openCase(tx: Tx, { codeId, userId, reason, note, hours }: Opened): Promise<CaseRow | undefined> {
  const { rows } = await sql<CaseRow>`
    INSERT INTO code_cases (code_id, order_line_id, user_id, seller_id, reason, note, answer_by)
    SELECT c.id, coalesce(g.order_line_id, l.id), ${userId}::uuid, l.seller_id, ${reason}, ${note},
      now() + ${hours} * interval '1 hour'
    FROM codes c JOIN order_lines l ON l.id = c.order_line_id LEFT JOIN gifts g ON g.id = l.gift_id
    WHERE c.id = ${codeId}::uuid
    ON CONFLICT (code_id) DO NOTHING RETURNING *`.execute(tx)
  return rows[0]
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

/** Cases whose time is over, and those whose code was taken back; other nodes skip them. */
export async function lockLateCases(tx: Tx, limit: number): Promise<(CaseRow & { isGone: boolean })[]> {
  const { rows } = await sql<CaseRow & { isGone: boolean }>`
    SELECT k.*, c.state <> 'sold' AS "isGone" FROM code_cases k JOIN codes c ON c.id = k.code_id
    WHERE (k.state = 'seller' AND k.answer_by <= now()) OR (k.state IN ('seller', 'staff') AND c.state <> 'sold')
    ORDER BY k.answer_by LIMIT ${limit} FOR UPDATE OF k SKIP LOCKED`.execute(tx)
  return rows
}

/**
 * Cases follow their refunds: those whose refund was made have ended, also when the provider refused it at first; those whose
 * refund failed are with staff again. Answers how many there were, and those that staff decide again. Other nodes skip them.
 */
export async function followRefunds(tx: Tx, limit: number): Promise<{ count: number; failed: CaseRow[] }> {
  const { rows } = await sql<CaseRow>`
    WITH over AS (SELECT k.id, r.status = 'completed' AS is_made FROM code_cases k JOIN refunds r ON r.id = k.refund_id
      WHERE (k.state = 'refunding' AND r.status <> 'requested') OR (k.state = 'staff' AND r.status = 'completed')
      LIMIT ${limit} FOR UPDATE OF k SKIP LOCKED)
    UPDATE code_cases k SET state = CASE WHEN is_made THEN 'refunded' ELSE 'staff' END,
      decided_at = CASE WHEN is_made THEN coalesce(k.decided_at, now()) END,
      decided_by = CASE WHEN is_made THEN k.decided_by END, words = CASE WHEN is_made THEN k.words ELSE '' END
    FROM over WHERE k.id = over.id RETURNING k.*`.execute(tx)
  return { count: rows.length, failed: rows.filter(({ state }) => state === 'staff') }
}

/** The bad code leaves its owner and the next one of the stock takes its place. Answers its id, undefined without stock. */
export async function replaceCode(tx: Tx, codeId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; productId: string }>`
    WITH bad AS (SELECT * FROM codes WHERE id = ${codeId}::uuid AND state = 'sold'),
      next AS (SELECT c.id FROM codes c JOIN bad ON bad.product_id = c.product_id
        WHERE c.state = 'free' AND (c.expires_at IS NULL OR c.expires_at > now())
        ORDER BY c.position LIMIT 1 FOR UPDATE OF c SKIP LOCKED),
      given AS (UPDATE codes c SET state = 'sold', payment_id = bad.payment_id, order_line_id = bad.order_line_id, updated_at = now()
        FROM bad WHERE c.id = (SELECT id FROM next) RETURNING c.id, c.product_id),
      ended AS (UPDATE codes c SET state = 'void', updated_at = now()
        WHERE c.id = ${codeId}::uuid AND EXISTS (SELECT FROM given))
    SELECT id, product_id AS "productId" FROM given`.execute(tx)
  const [given] = rows
  if (given) await queueSettling(tx, given.productId)
  return given?.id
}

export const findSealed = (tx: Tx, id: string) =>
  tx.selectFrom('codes').select(['ciphertext', 'sealedParts']).where('id', '=', id).executeTakeFirstOrThrow()

export const findCode = (tx: Tx, id: string) =>
  tx.selectFrom('codes').select(['productId', 'state']).where('id', '=', id).executeTakeFirstOrThrow()

const RECENT = `created_at > now() - interval '90 days'`

/** `maskOf` returns the end of a stored code. */
type CaseQuery = {
  maskOf: (ciphertext: Buffer) => string
  sellerId?: string
  id?: string
  queue?: 'open' | 'ended'
  after?: string | undefined
}

/** Open cases by their deadline, ended ones newest first. Staff see those that the seller left or declined. */
export async function readCases(db: Db | Tx, { maskOf, sellerId, id, queue, after }: CaseQuery) {
  const isOpen = queue === 'open'
  const open = sellerId ? sql`('seller', 'staff')` : sql`('staff')`
  const order = isOpen ? sql`(k.answer_by, k.id)` : sql`(k.decided_at, k.id)`
  const { rows } = await sql<Omit<CodeCase, 'mask'> & { ciphertext: Buffer }>`
    SELECT k.id, (SELECT ciphertext FROM codes WHERE id = k.code_id) AS ciphertext, l.product_id AS "productId", l.title, l.order_id AS "orderId", k.state, k.reason, k.note,
      k.seller_words AS "sellerWords", k.words, ${iso('k.created_at')} AS "openedAt", ${iso('k.answer_by')} AS "answerBy",
      ${iso('k.decided_at')} AS "decidedAt",
      EXISTS (SELECT FROM codes c WHERE c.product_id = l.product_id AND ${sql.raw(IS_FREE_CODE)}) AS "canReplace",
      k.state = 'staff' AND k.refund_id IS NOT NULL AS "isRefundFailed",
      json_build_object('buyer', (SELECT count(*) FROM code_cases b WHERE b.user_id = k.user_id AND b.${sql.raw(RECENT)}),
        'seller', (SELECT count(*) FROM code_cases s WHERE s.seller_id = k.seller_id AND s.${sql.raw(RECENT)})) AS counts
    FROM code_cases k JOIN order_lines l ON l.id = k.order_line_id
    WHERE (${sellerId ?? null}::uuid IS NULL OR k.seller_id = ${sellerId ?? null}::uuid)
      AND (${id ?? null}::uuid IS NULL OR k.id = ${id ?? null}::uuid)
      AND ${queue === undefined ? sql`true` : isOpen ? sql`k.state IN ${open}` : sql`k.decided_at IS NOT NULL`}
      AND ${
        after === undefined
          ? sql`true`
          : isOpen
            ? sql`(k.answer_by, k.id) > (SELECT answer_by, id FROM code_cases WHERE id = ${after}::uuid)`
            : sql`(k.decided_at, k.id) < (SELECT decided_at, id FROM code_cases WHERE id = ${after}::uuid)`
      }
    ORDER BY ${isOpen ? sql`${order} ASC` : sql`${order} DESC`} LIMIT ${CASES_PAGE + 1}`.execute(db)
  const cases: CodeCase[] = rows
    .slice(0, CASES_PAGE)
    .map(({ ciphertext, ...found }) => ({ ...found, mask: maskOf(ciphertext) }))
  return { cases, hasMore: rows.length > CASES_PAGE }
}

const iso = (column: string) => sql.raw(isoOf(column))

export async function forgetCasesOf(tx: Tx, userId: string) {
  await tx.updateTable('codeCases').set({ note: '' }).where('userId', '=', userId).execute()
  await tx.updateTable('codeCases').set({ sellerWords: '' }).where('sellerId', '=', userId).execute()
}

import type pg from 'pg'
import { only } from '../../kit/values/required.ts'
import type { Statement } from './balance.contract.ts'
import { addMonths, startOf, toStatement } from './statement.rules.ts'
import * as statements from './statement.statements.server.ts'

/** A page or a PDF with more lines shows one line of each kind for each day. */
export const MANY_LINES = 300

/** Reads the statement of a month in UTC. With more than `most` lines, each day has one line of each kind. */
export async function readStatement(
  pool: pg.Pool,
  { sellerId, month, most = MANY_LINES }: { sellerId: string; month: string; most?: number | null },
): Promise<Statement> {
  const period = { from: startOf(month), until: startOf(addMonths(month, 1)) }
  const { opening, isSummedUp, moved } = only(await statements.readMonth(pool, { sellerId, ...period, most }))
  const movements = moved.map(({ title, more, ...movement }) => ({
    ...movement,
    title: title !== null && more ? `${title} and ${more} more` : title,
  }))
  return toStatement({ month, openingCents: opening, isSummedUp }, movements)
}

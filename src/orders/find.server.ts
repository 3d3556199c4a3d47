import type { Db } from '../kit/database.server.ts'
import { readOrderNumber } from './number.rules.ts'
import { findByNumber as findNumbered, type FindByNumberRow } from './orders.statements.server.ts'

/** Finds orders by number, complete or its last eight characters, which two orders may share. */
export async function findByNumber(db: Db, typed: string): Promise<FindByNumberRow[]> {
  const number = readOrderNumber(typed)
  if (!number) return []
  const { text, isWhole } = number
  return findNumbered(db, isWhole ? { wholeId: text, short: null } : { wholeId: null, short: text })
}

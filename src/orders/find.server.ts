import type pg from 'pg'
import { readOrderNumber } from './number.rules.ts'
import { findByNumber as findNumbered, type FindByNumberRow } from './orders.statements.server.ts'

/** Orders with this number, whole or its last eight characters. Two orders may share those. */
export async function findByNumber(pool: pg.Pool, typed: string): Promise<FindByNumberRow[]> {
  const number = readOrderNumber(typed)
  if (!number) return []
  const { text, isWhole } = number
  return findNumbered(pool, isWhole ? { id: text, short: null } : { id: null, short: text })
}

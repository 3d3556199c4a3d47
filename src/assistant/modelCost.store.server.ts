import type pg from 'pg'
import { addCost } from './model/model.statements.server.ts'

export const noteCostOf = (pool: pg.Pool, usedFor: 'analyze' | 'explain') => (microdollars: number) =>
  addCost(pool, { usedFor, microdollars })

import type pg from 'pg'
import { statement } from '../kit/database.server.ts'

const addCost = statement<never, [usedFor: string, microdollars: number]>(
  'model_cost',
  `INSERT INTO model_days AS d (day, used_for, calls, cost_microdollars) VALUES (current_date, $1, 1, $2)
   ON CONFLICT (day, used_for) DO UPDATE SET calls = d.calls + 1, cost_microdollars = d.cost_microdollars + excluded.cost_microdollars`,
)

/** Adds what an answer outside the chat cost to its day. */
export const noteCostOf = (pool: pg.Pool, usedFor: 'analyze' | 'explain') => (microdollars: number) =>
  addCost(pool, usedFor, microdollars)

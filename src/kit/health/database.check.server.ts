import type { Replica } from '../cluster/replica.server.ts'
import type { Database } from '../database.server.ts'
import { fail, type Finding, ok, warn } from './finding.rules.ts'

export function checkReplica({ isUsable, lagSeconds, mostSeconds }: Replica): Finding {
  if (isUsable()) return ok('replica', `at most ${lagSeconds().toFixed(1)} s behind`)
  const mend = 'see whether it runs and follows the primary; until then all reads go to the primary'
  return warn('replica', `is away or more than ${mostSeconds} s behind`, mend)
}

export async function checkDatabase(pool: Database['pool']): Promise<Finding> {
  const start = performance.now()
  try {
    await pool.query('SELECT 1')
  } catch {
    return fail('database', 'does not answer', 'start it again; orders and payments go on by themselves afterwards')
  }
  return ok('database', `answers in ${(performance.now() - start).toFixed(0)} ms`)
}

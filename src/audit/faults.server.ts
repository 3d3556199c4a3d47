import type { On } from '../kit/sql/statements.server.ts'
import { findFaults, findOverdue } from './audit.statements.server.ts'
import { describeFault, type Fault } from './sentences.rules.ts'

/** The invariants of money and goods, true at every moment. The drill, `shop ledger` and the hourly job check them. */
export const INVARIANTS = [
  ...['INV1', 'INV3', 'INV7', 'INV10', 'HOLD', 'LEDGER', 'CREDIT', 'BONUS', 'EARNINGS', 'COSTS', 'ERASED'],
  ...['UNUSED', 'DISPUTE', 'CHAIN', 'BOUNCED', 'RECLAIMED', 'DISCOUNT', 'INVOICES'],
]
/** Rules for work that takes time. */
const WORK = ['INV2', 'INV8']
export const RULES = [...INVARIANTS, ...WORK]

/** Work that is unfinished after this time is a breach. */
export type Timeout = { hours: number; longHours: number }
export const TIMEOUT: Timeout = { hours: 1, longHours: 14 * 24 }

export type Scope = 'order' | 'member' | 'transfer' | 'discount' | 'whole'
export type Violation = { rule: string; violation: string }

/** Returns all violations of `rules`. For operators and tests, because it reads large tables. */
export const findViolations = async (on: On, rules: string[]): Promise<Violation[]> =>
  describeAll(await findFaults(on, { rules }))

export const findUnfinished = async (on: On, timeout: Timeout): Promise<Violation[]> => [
  ...(await findViolations(on, WORK)),
  ...describeAll(await findOverdue(on, timeout)),
]

export const findAllViolations = async (on: On): Promise<Violation[]> => [
  ...(await findViolations(on, INVARIANTS)),
  ...(await findUnfinished(on, TIMEOUT)),
]

/** Two orders may have the same fault, such as one code that both sold. */
function describeAll(faults: Fault[]): Violation[] {
  const found = new Map<string, Violation>()
  for (const fault of faults) {
    const violation = describeFault(fault)
    found.set(`${fault.rule} ${violation}`, { rule: fault.rule, violation })
  }
  return [...found.values()]
}

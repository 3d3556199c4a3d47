import type { PartDetails, PartStatus } from './status.contract.ts'

export type Part = { name: string; state: string; mend: string | null }
/** `parts`: parts that are not ready. Parts that are off by choice do not count. `isHealthy`: no part fails. */
export type Readiness = { ready: number; all: number; isHealthy: boolean; parts: Part[] }

const STATES = { warn: 'needs attention', fail: 'does not work' } as const

const DEMO = 'this store is a demonstration, so no real money is charged'

const SERVER_AWAY: Part = {
  name: 'Server',
  state: 'does not answer',
  mend: 'Try again in a moment. Your cart and orders are safe',
}

type ReadinessFacts = {
  /** Details for administrators, possibly of an earlier check. */
  details?: PartDetails[] | undefined
  isStaff?: boolean
}

/** Summarises the health checks; null if the server did not respond. Only staff see warnings of working parts. */
export function readinessOf(
  status: PartStatus[] | null,
  { details = [], isStaff = false }: ReadinessFacts = {},
): Readiness {
  if (!status) return { ready: 0, all: 1, isHealthy: false, parts: [SERVER_AWAY] }
  const wanted = status.filter(({ grade }) => grade !== 'off')
  const parts = wanted.flatMap(({ name, grade }) => {
    if (grade !== 'warn' && grade !== 'fail') return []
    if (!isStaff && grade === 'warn' && name !== 'demo') return []
    const told = details.find((part) => part.name === name && part.grade === grade)
    const mend = told?.mend ?? (name === 'database' ? mendDatabase(isStaff) : null)
    return [
      {
        name: name.charAt(0).toUpperCase() + name.slice(1),
        state: told?.says ?? (name === 'demo' ? DEMO : STATES[grade]),
        mend,
      },
    ]
  })
  const ready = wanted.filter(({ grade }) => grade === 'ok').length
  return { ready, all: wanted.length, isHealthy: wanted.every(({ grade }) => grade !== 'fail'), parts }
}

/** Without the database the server cannot read sessions, so it sends no details. */
const mendDatabase = (isStaff: boolean) =>
  isStaff ? 'Start it again; orders and payments go on by themselves afterwards' : SERVER_AWAY.mend

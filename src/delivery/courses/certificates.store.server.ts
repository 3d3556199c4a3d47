import { randomBytes } from 'node:crypto'
import type { Db, Tx } from '../../kit/database.server.ts'
import { numberOf } from './certificate.rules.ts'
import * as statements from './certificates.statements.server.ts'
import type { Certificate } from './learning.contract.ts'
import type { TakenLine } from './learning.store.server.ts'

/** Certifies a course once. A missing name is filled in from the profile once. */
export async function certify(
  tx: Tx,
  { userId, lineId, course, lessons }: { userId: string; lineId: string; course: TakenLine; lessons: number },
) {
  const { title, seller } = course
  await statements.certify(tx, { userId, lineId, number: numberOf(randomBytes(12)), title, seller, lessons })
}

const shown = ({ completedAt, ...rest }: statements.FindOfLineRow): Certificate => ({
  ...rest,
  completedAt: completedAt.toISOString(),
})

export async function findCertificate(db: Db | Tx, userId: string, lineId: string): Promise<Certificate | null> {
  const [found] = await statements.findOfLine(db, { userId, lineId })
  return found ? shown(found) : null
}

/** Finds a certificate for anyone with the number. `isValid` is false after a refund of the course. */
export async function findByNumber(db: Db, number: string): Promise<(Certificate & { isValid: boolean }) | null> {
  const [found] = await statements.findByNumber(db, { number })
  if (!found) return null
  const { isValid, ...certificate } = found
  return { ...shown(certificate), isValid }
}

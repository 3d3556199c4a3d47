import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database.server.ts'
import { numberOf } from './certificate.rules.ts'
import type { Certificate } from './learning.contract.ts'
import type { TakenLine } from './learning.store.server.ts'

const NAME = sql<string | null>`nullif(left(btrim(concat_ws(' ', btrim(u.first_name), btrim(u.last_name))), 200), '')`

type Stored = Omit<Certificate, 'completedAt'> & { completedAt: Date; isValid: boolean }

/** Certifies a course once. A name that was missing is taken from the profile later, and stays then. */
export async function certify(
  tx: Tx,
  { userId, lineId, course, lessons }: { userId: string; lineId: string; course: TakenLine; lessons: number },
) {
  await sql`INSERT INTO course_certificates (number, order_line_id, user_id, name, title, seller, lessons)
    SELECT ${numberOf(randomBytes(12))}, ${lineId}::uuid, u.id, ${NAME}, ${course.title}, ${course.seller}, ${lessons}
    FROM users u WHERE u.id = ${userId}::uuid
    ON CONFLICT (order_line_id, user_id) DO UPDATE SET name = coalesce(course_certificates.name, excluded.name)`.execute(
    tx,
  )
}

const shown = ({ isValid: _, completedAt, ...rest }: Stored): Certificate => ({
  ...rest,
  completedAt: completedAt.toISOString(),
})

const FIELDS = sql.raw('c.number, c.name, c.title, c.seller, c.lessons, c.completed_at')

export async function findCertificate(db: Db | Tx, userId: string, lineId: string): Promise<Certificate | null> {
  const { rows } = await sql<Stored>`SELECT ${FIELDS} FROM course_certificates c
    WHERE c.order_line_id = ${lineId}::uuid AND c.user_id = ${userId}::uuid`.execute(db)
  return rows[0] ? shown(rows[0]) : null
}

/** For everybody who knows the number. `isValid` is false after a refund of the course. */
export async function findByNumber(db: Db, number: string): Promise<(Certificate & { isValid: boolean }) | null> {
  const { rows } = await sql<Stored>`SELECT ${FIELDS},
      EXISTS (SELECT FROM entitlements e WHERE e.order_line_id = c.order_line_id AND e.revoked_at IS NULL) AS is_valid
    FROM course_certificates c WHERE c.number = ${number}`.execute(db)
  return rows[0] ? { ...shown(rows[0]), isValid: rows[0].isValid } : null
}

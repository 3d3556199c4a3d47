import { sql } from 'kysely'
import { shownName } from '../../catalogue/product.sql.server.ts'
import { type Db, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { isDisputed, isGoingBack } from '../entitlements.server.ts'
import type { Reading, ReadFile } from './reading.contract.ts'

const FIELDS = sql.raw(
  `f.id, f.file_name, f.content_type, f.size_bytes, coalesce(f.chapters, '') AS chapters, r.place, coalesce(r.share, 0) AS share`,
)

type Of = { userId: string; lineId: string }

const placesOf = ({ userId, lineId }: Of) => sql`LEFT JOIN reading_places r
  ON r.file_id = f.id AND r.order_line_id = ${lineId}::uuid AND r.user_id = ${userId}::uuid`

export async function readLine(db: Db, { userId, lineId }: Of): Promise<Reading> {
  const { rows } = await sql<Omit<Reading, 'files'> & { fileIds: string[] }>`
    SELECT orders.id AS order_id, p.id AS product_id, order_lines.title, p.category_id,
      '/images/' || p.image_object_id || '/640.webp' AS image_url, e.file_id || order_lines.more_file_ids AS file_ids,
      (SELECT ${sql.raw(shownName('u', 'Primo seller'))} FROM users u WHERE u.id = order_lines.seller_id) AS seller
    FROM entitlements e JOIN order_lines ON order_lines.id = e.order_line_id JOIN orders ON orders.id = order_lines.order_id
    JOIN products p ON p.id = order_lines.product_id
    WHERE e.user_id = ${userId}::uuid AND order_lines.id = ${lineId}::uuid AND e.file_id IS NOT NULL
      AND e.revoked_at IS NULL AND orders.status = 'completed' AND NOT ${isGoingBack} AND NOT ${isDisputed}`.execute(db)
  const line = rows[0]
  if (!line) throw new Failure(404, 'Not found')
  const { fileIds, ...rest } = line
  const files = await sql<ReadFile>`SELECT ${FIELDS}
    FROM unnest(${fileIds}::uuid[]) WITH ORDINALITY x (id, n) JOIN product_files f ON f.id = x.id ${placesOf({ userId, lineId })}
    ORDER BY x.n`.execute(db)
  return { ...rest, files: files.rows }
}

export async function readPlacedFiles(
  db: Db | Tx,
  { lessonId, ...of }: Of & { lessonId: string },
): Promise<ReadFile[]> {
  const { rows } = await sql<ReadFile>`SELECT ${FIELDS}
    FROM lesson_files x JOIN product_files f ON f.id = x.file_id ${placesOf(of)}
    WHERE x.lesson_id = ${lessonId}::uuid ORDER BY x.created_at, f.id`.execute(db)
  return rows
}

type SavePlaceInput = Of & { fileId: string; place: string; share: number; movedAt: string }

/** Keeps a place unless a later one is kept; answers the one that holds. */
export async function savePlace(db: Tx, { userId, lineId, fileId, place, share, movedAt }: SavePlaceInput) {
  await sql`INSERT INTO reading_places (order_line_id, user_id, file_id, place, share, moved_at)
    VALUES (${lineId}::uuid, ${userId}::uuid, ${fileId}::uuid, ${place}, ${share}, least(${movedAt}::timestamptz, now()))
    ON CONFLICT (order_line_id, user_id, file_id) DO UPDATE
    SET place = excluded.place, share = excluded.share, moved_at = excluded.moved_at
    WHERE reading_places.moved_at <= excluded.moved_at`.execute(db)
  return db
    .selectFrom('readingPlaces')
    .select(['place', 'share'])
    .where('orderLineId', '=', lineId)
    .where('userId', '=', userId)
    .where('fileId', '=', fileId)
    .executeTakeFirstOrThrow()
}

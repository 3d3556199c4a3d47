import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type pg from 'pg'
import { nameEntries } from '../../delivery/files/zipNames.rules.ts'
import { isGoingBack } from '../../delivery/entitlements.server.ts'
import { currentUser } from '../../identity/identity.server.ts'
import type { Db } from '../../kit/database.server.ts'
import { PAID_AS } from '../../orders/orders.server.ts'

export type BoughtFile = { path: string; objectId: string }

/** The SQL of each file. A test checks that every table with personal data is covered or excluded with a reason. */
export const TABLES = readStatements(readFileSync(join(import.meta.dirname, 'export.sql'), 'utf8'))

/** The statements by the names of their files. Throws unless each `-- name.json` has one that ends in a semicolon. */
export function readStatements(text: string): Record<string, string> {
  const lines = text.replaceAll('\r\n', '\n').replaceAll(':paid_as', PAID_AS)
  const found = [...lines.matchAll(/^-- ([\w-]+\.json)\n(.*?);$/gms)]
  for (const mark of [/^-- .*\.json/gm, /;\s*$/gm])
    if (lines.match(mark)?.length !== found.length)
      throw new Error('export.sql: each `-- name.json` needs one statement after it that ends in a semicolon.')
  return Object.fromEntries(found.map(([, file, statement]) => [file!, statement!]))
}

const README =
  'Everything the shop keeps about your account, and the files you bought. Amounts are in US cents, times in UTC. Codes and keys are shown under My Orders: each look at one is written down.'

/** The JSON files by name, and the bought files that the account can still open. */
export async function readMyData(
  db: Db,
  pool: pg.Pool,
  userId: string,
): Promise<{ files: Record<string, unknown>; bought: BoughtFile[] }> {
  const profile: unknown = JSON.parse(await currentUser(pool, userId))
  const files: Record<string, unknown> = { 'about.json': README, 'profile.json': profile }
  for (const [name, text] of Object.entries(TABLES)) files[name] = (await pool.query(text, [userId])).rows
  return { files, bought: await listBought(db, userId) }
}

async function listBought(db: Db, userId: string): Promise<BoughtFile[]> {
  const rows = await db
    .selectFrom('entitlements')
    .innerJoin('orderLines', 'orderLines.id', 'entitlements.orderLineId')
    .innerJoin('productFiles', (join) =>
      join.on(sql<boolean>`product_files.id = ANY (entitlements.file_id || order_lines.more_file_ids)`),
    )
    .innerJoin('orders', 'orders.id', 'orderLines.orderId')
    .select(['orders.id as orderId', 'orderLines.position', 'productFiles.fileName', 'productFiles.objectId'])
    .where('entitlements.userId', '=', userId)
    .where('entitlements.revokedAt', 'is', null)
    .where('orders.status', '=', 'completed')
    .where(sql<boolean>`NOT ${isGoingBack}`)
    .orderBy('orders.createdAt')
    .orderBy('productFiles.part')
    .execute()
  const paths = nameEntries(
    rows.map(({ orderId, position, fileName }) => ({
      folder: `files/${orderId.slice(-8)}-${position + 1}/`,
      fileName,
    })),
  )
  return rows.map(({ objectId }, i) => ({ path: paths[i]!, objectId }))
}

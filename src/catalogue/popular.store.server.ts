import { sql } from 'kysely'
import type { Db } from '../kit/database.server.ts'

type Count = { productId: string; buyers: number }

/** Rows of one statement, so that sellers and sales do not wait for the job. */
const AT_ONCE = 500

/** Notes how many buyers each product had lately; a product that is not named had none. The list of the most bought reads it. */
export async function noteBuyers(db: Db, counts: Count[]) {
  const { rows: changed } = await sql<Count>`
    SELECT p.id AS "productId", coalesce(c.buyers, 0) AS buyers FROM products p
    LEFT JOIN json_to_recordset(${JSON.stringify(counts)}::json) AS c ("productId" uuid, buyers int) ON c."productId" = p.id
    WHERE p.recent_buyers <> coalesce(c.buyers, 0) ORDER BY p.id`.execute(db)
  for (let at = 0; at < changed.length; at += AT_ONCE)
    await sql`UPDATE products p SET recent_buyers = c.buyers
      FROM json_to_recordset(${JSON.stringify(changed.slice(at, at + AT_ONCE))}::json) AS c ("productId" uuid, buyers int)
      WHERE p.id = c."productId"`.execute(db)
}

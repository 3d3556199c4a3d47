import { sql } from 'kysely'
import type { Tx } from '../kit/database.server.ts'

/** Notes how many buyers each product had lately; a product that is not named had none. The list of the most bought reads it. */
export async function noteBuyers(tx: Tx, counts: { productId: string; buyers: number }[]) {
  await sql`UPDATE products p SET recent_buyers = n.buyers
    FROM (SELECT o.id, coalesce(c.buyers, 0) AS buyers FROM products o
      LEFT JOIN json_to_recordset(${JSON.stringify(counts)}::json) AS c ("productId" uuid, buyers int) ON c."productId" = o.id) n
    WHERE p.id = n.id AND p.recent_buyers <> n.buyers`.execute(tx)
}

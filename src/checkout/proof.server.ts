import { sql } from 'kysely'
import type { Tx } from '../kit/database.server.ts'
import { proofMissing } from '../kit/contract.ts'
import { asksProof } from './place.rules.ts'
import { only } from '../kit/values/required.ts'

type Spending = { orderId: string; userId: string; savedCents: number; isProven: boolean }

/** Before a saved wallet or store credit pays: a session alone must not empty them. The caller rolls back. */
export async function demandProofFor(tx: Tx, { orderId, userId, savedCents, isProven }: Spending) {
  if (isProven || savedCents === 0) return
  const { rows } = await sql<{ hasCash: boolean; dayCents: number }>`SELECT
      EXISTS (SELECT FROM order_lines l JOIN products p ON p.id = l.product_id
        JOIN categories c ON c.id = p.category_id WHERE l.order_id = ${orderId}::uuid AND c.is_cash) AS "hasCash",
      -- an order without a payment yet may be about to charge the wallet
      (SELECT coalesce(sum(CASE WHEN EXISTS (SELECT FROM payments WHERE order_id = o.id AND wallet_id IS NOT NULL)
          OR NOT EXISTS (SELECT FROM payments WHERE order_id = o.id)
          THEN total_cents ELSE credit_cents END), 0)::float8
        FROM orders o WHERE user_id = ${userId}::uuid AND id <> ${orderId}::uuid AND status <> 'failed'
          AND created_at > now() - interval '24 hours') AS "dayCents"`.execute(tx)
  if (asksProof({ savedCents, ...only(rows) })) throw proofMissing()
}

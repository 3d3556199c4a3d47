import type pg from 'pg'
import { shownName } from '../../catalogue/product.sql.server.ts'
import { statement } from '../../kit/database.server.ts'
import type { ShownGift } from './gifts.contract.ts'
import { hashGiftToken } from './gifts.store.server.ts'

const read = statement<{ gift: ShownGift }, [tokenHash: string, userId: string | null]>(
  'gift_shown',
  `SELECT json_build_object(
      'state', CASE WHEN g.state = 'open' AND (SELECT is_disputed OR is_going_back FROM line_standing WHERE order_line_id = order_lines.id) THEN 'closed'
        WHEN g.state = 'open' AND orders.status <> 'completed' THEN 'ended' ELSE g.state END,
      'productId', p.id, 'title', order_lines.title, 'categoryId', p.category_id,
      'imageUrl', '/images/' || p.image_object_id || '/640.webp', 'kind', order_lines.delivery, 'quantity', g.quantity,
      'from', ${shownName('u', 'Someone')}, 'toName', g.to_name, 'note', g.note, 'isOwn', coalesce(orders.user_id = $2::uuid, false),
      'orderId', CASE WHEN orders.user_id = $2::uuid THEN orders.id
        WHEN g.claimed_by = $2::uuid THEN (SELECT m.order_id FROM order_lines m WHERE m.gift_id = g.id) END) AS gift
  FROM gifts g JOIN order_lines ON order_lines.id = g.order_line_id JOIN orders ON orders.id = order_lines.order_id
  JOIN products p ON p.id = order_lines.product_id JOIN users u ON u.id = orders.user_id
  WHERE g.token_hash = $1`,
)

/** The gift of a link, for anyone who has it. Never the goods. */
export async function readShownGift(pool: pg.Pool, token: string, userId: string | null): Promise<ShownGift | null> {
  const [found] = await read(pool, hashGiftToken(token), userId)
  return found?.gift ?? null
}

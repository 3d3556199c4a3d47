import { shownName } from '../catalogue/product.sql.server.ts'
import { isoOf } from '../kit/sql/json.server.ts'

/** SQL condition: a dispute, not a refund, returned the money of the order `o`. */
export const IS_CHARGED_BACK = (o: string) =>
  `EXISTS (SELECT FROM disputes t WHERE t.order_id = ${o}.id AND t.state = 'lost')`

/** SQL query for the sender and the end of a claimed gift, which is the order `o`. */
export const GIFT_FACTS = `SELECT ${shownName('u', 'Someone')} AS giver,
      CASE WHEN g.state = 'ended' THEN json_build_object('at', ${isoOf('n.revoked_at')}, 'isDisputed', ${IS_CHARGED_BACK('s')}) END AS taken_back
    FROM order_lines m JOIN gifts g ON g.id = m.gift_id JOIN order_lines b ON b.id = g.order_line_id
    JOIN orders s ON s.id = b.order_id JOIN users u ON u.id = s.user_id JOIN entitlements n ON n.order_line_id = m.id
    WHERE o.source = 'gift' AND m.order_id = o.id LIMIT 1`

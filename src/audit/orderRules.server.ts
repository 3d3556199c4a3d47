import type { Rule } from './rule.server.ts'

// Orders, their payments and their goods, which agree at every moment.

export const ORDER_RULES: Rule[] = [
  {
    name: 'INV1',
    scope: 'order',
    text: `SELECT format('order %s is completed without a captured payment of its total and currency', o.id) AS violation
      FROM orders o WHERE o.status = 'completed' AND o.total_cents > 0 AND NOT EXISTS (
        SELECT FROM payments p
        WHERE p.order_id = o.id AND p.status IN ('captured', 'part_refunded') AND p.currency = o.currency
          AND p.amount_cents = CASE p.provider WHEN 'store credit' THEN o.credit_cents ELSE o.total_cents - o.credit_cents END
          AND (p.provider <> 'store credit' OR o.credit_cents = o.total_cents))
    UNION ALL
      SELECT format('order %s of 0 cents has a payment', o.id)
      FROM orders o JOIN payments p ON p.order_id = o.id WHERE o.total_cents = 0`,
  },
  {
    name: 'INV3',
    scope: 'order',
    text: `SELECT format('a line of the %s order %s is delivered', o.status, o.id) AS violation
      FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = l.order_id
      WHERE e.revoked_at IS NULL AND o.status <> 'completed'
    UNION ALL
      SELECT format('a line of order %s is delivered to another customer', o.id)
      FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = l.order_id
      WHERE e.user_id <> o.user_id
    UNION ALL
      SELECT format('code %s is sold on the %s order %s', c.id, o.status, o.id)
      FROM codes c JOIN order_lines l ON l.id = c.order_line_id JOIN orders o ON o.id = l.order_id
      WHERE c.state = 'sold' AND o.status <> 'completed'
    UNION ALL
      SELECT format('code %s is held by a payment of one order for a line of another', c.id)
      FROM codes c JOIN order_lines l ON l.id = c.order_line_id JOIN payments p ON p.id = c.payment_id
      WHERE c.product_id <> l.product_id OR p.order_id <> coalesce((SELECT b.order_id FROM gifts g
        JOIN public.order_lines b ON b.id = g.order_line_id WHERE g.id = l.gift_id), l.order_id)
    UNION ALL
      SELECT format('the same code of product %s is sold %s times', product_id, count(*))
      FROM codes WHERE state = 'sold' GROUP BY product_id, fingerprint HAVING count(*) > 1
    UNION ALL
      SELECT format('order %s is owed %s codes and has %s', o.id, l.quantity - e.returned_quantity, n.has)
      FROM orders o JOIN order_lines l ON l.order_id = o.id AND l.delivery = 'code' JOIN earnings e ON e.order_line_id = l.id
      CROSS JOIN LATERAL (SELECT (SELECT count(*) FROM codes c WHERE c.order_line_id = l.id AND c.state = 'sold')
        + (SELECT count(*) FROM gifts g JOIN public.order_lines m ON m.gift_id = g.id
          JOIN public.codes c ON c.order_line_id = m.id AND c.state = 'sold' WHERE g.order_line_id = l.id) AS has) n
      WHERE o.status = 'completed' AND n.has <> l.quantity - e.returned_quantity
        AND NOT EXISTS (SELECT FROM public.supply_requests y WHERE y.order_line_id = l.id AND y.state <> 'delivered')
    UNION ALL
      SELECT format('order %s is owed a licence key of %s seats and has %s', o.id, l.quantity - e.returned_quantity, coalesce(k.seats, 0) + given)
      FROM orders o JOIN order_lines l ON l.order_id = o.id AND l.delivery = 'license' JOIN earnings e ON e.order_line_id = l.id
      LEFT JOIN licenses k ON k.order_line_id = l.id
      CROSS JOIN LATERAL (SELECT coalesce(sum(g.quantity), 0) AS given FROM gifts g WHERE g.order_line_id = l.id
        AND g.state IN ('open', 'claimed')) g
      WHERE o.status = 'completed' AND coalesce(k.seats, -1) + given <> l.quantity - e.returned_quantity
    UNION ALL
      SELECT format('order %s gave away %s copies of %s', o.id, sum(g.quantity), l.quantity - e.returned_quantity)
      FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN earnings e ON e.order_line_id = l.id
      JOIN gifts g ON g.order_line_id = l.id AND g.state IN ('open', 'claimed')
      WHERE o.status = 'completed' GROUP BY o.id, l.id, l.quantity, e.returned_quantity
      HAVING sum(g.quantity) > l.quantity - e.returned_quantity
    UNION ALL
      SELECT format('the gift of order %s is %s, and its line %s', o.id, g.state, CASE WHEN e.revoked_at IS NULL THEN 'opens' ELSE 'is closed' END)
      FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN gifts g ON g.id = l.gift_id JOIN entitlements e ON e.order_line_id = l.id
      WHERE (g.state = 'claimed') <> (e.revoked_at IS NULL)`,
  },
  {
    name: 'INV7',
    scope: 'order',
    text: `SELECT format('order %s of %s cents has lines of %s cents', o.id, o.total_cents, coalesce(sum(l.price_cents * l.quantity - l.discount_cents), 0)) AS violation
      FROM orders o LEFT JOIN order_lines l ON l.order_id = o.id
      GROUP BY o.id, o.total_cents HAVING o.total_cents <> coalesce(sum(l.price_cents * l.quantity - l.discount_cents), 0)
    UNION ALL
      SELECT format('a payment of %s cents is for an order of %s cents', p.amount_cents, o.total_cents)
      FROM payments p JOIN orders o ON o.id = p.order_id
      WHERE p.amount_cents <> CASE p.provider WHEN 'store credit' THEN o.credit_cents ELSE o.total_cents - o.credit_cents END`,
  },
  {
    name: 'INV10',
    scope: 'order',
    text: `SELECT format('order %s went from %s to %s when it was %s', order_id, coalesce(from_status, 'nothing'), to_status, coalesce(before, 'nothing')) AS violation
      FROM (SELECT *, lag(to_status) OVER (PARTITION BY order_id ORDER BY id) AS before FROM order_events) step
      WHERE from_status IS DISTINCT FROM before OR (coalesce(from_status, ''), to_status) NOT IN
        (('', 'pending'), ('pending', 'completed'), ('pending', 'failed'), ('failed', 'failed'), ('failed', 'completed'), ('completed', 'refunded'))
    UNION ALL
      SELECT format('order %s is %s, and its last event says %s', o.id, o.status, coalesce(last.to_status, 'nothing'))
      FROM orders o
      LEFT JOIN (SELECT DISTINCT ON (order_id) order_id, to_status FROM order_events ORDER BY order_id, id DESC) last
        ON last.order_id = o.id
      WHERE last.to_status IS DISTINCT FROM o.status
    UNION ALL
      SELECT format('order %s came back from failed without a capture', v.order_id)
      FROM order_events v WHERE v.from_status = 'failed' AND v.to_status = 'completed' AND NOT EXISTS (
        SELECT FROM payments p WHERE p.order_id = v.order_id AND p.status IN ('captured', 'refunded', 'part_refunded'))`,
  },
  {
    name: 'HOLD',
    scope: 'order',
    text: `SELECT format('the money of order %s waits for a decision, and its payment is %s', h.order_id, p.status) AS violation
      FROM risk_holds h JOIN payments p ON p.id = h.payment_id
      WHERE h.kind = 'hold' AND h.state = 'open' AND p.status <> 'capturing'
    UNION ALL
      SELECT format('the ledger has %s cents of payment %s under review, and the payment is %s', -coalesce(l.cents, 0), p.id, p.status)
      FROM payments p
      LEFT JOIN (SELECT payment_id, sum(amount_cents) AS cents FROM ledger_entries WHERE account = 'review' GROUP BY 1) l ON l.payment_id = p.id
      WHERE -coalesce(l.cents, 0) <> CASE WHEN p.status = 'capturing' AND p.provider_capture_id IS NOT NULL THEN p.amount_cents ELSE 0 END`,
  },
  {
    name: 'LEDGER',
    scope: 'transfer',
    text: `SELECT format('all entries come to %s cents instead of 0', sum(amount_cents)) AS violation
      FROM ledger_entries HAVING sum(amount_cents) <> 0
    UNION ALL
      SELECT format('transfer %s comes to %s cents instead of 0', transfer_id, sum(amount_cents))
      FROM ledger_entries GROUP BY transfer_id HAVING sum(amount_cents) <> 0`,
  },
]

/**
 * Work that is not finished `patience` after it should be, such as '1 hour'. Refunds that the provider has, or for which a
 * buyer must name an address, have `longPatience`.
 */
export const restRules = (patience: string, longPatience = patience): Rule[] => [
  {
    name: 'INV2',
    scope: 'order',
    text: `SELECT format('a payment of the %s order %s is captured', o.status, o.id) AS violation
      FROM payments p JOIN orders o ON o.id = p.order_id
      WHERE p.status IN ('captured', 'part_refunded') AND o.status <> 'completed'
    UNION ALL
      SELECT format('a line of the completed order %s is not delivered', o.id)
      FROM orders o JOIN order_lines l ON l.order_id = o.id LEFT JOIN earnings s ON s.order_line_id = l.id
      LEFT JOIN entitlements e ON e.order_line_id = l.id AND (e.revoked_at IS NULL OR e.given_at IS NOT NULL)
      WHERE o.status = 'completed' AND e.id IS NULL AND l.gift_id IS NULL AND coalesce(s.returned_quantity, 0) < l.quantity`,
  },
  {
    name: 'INV8',
    scope: 'order',
    text: `SELECT format('code %s is held by a payment that is %s', c.id, p.status) AS violation
      FROM codes c JOIN payments p ON p.id = c.payment_id WHERE c.state = 'held' AND p.status <> 'capturing'`,
  },
  {
    name: 'INV8',
    scope: 'whole',
    text: `SELECT format('order %s is pending past its time', id) AS violation
      FROM orders WHERE status = 'pending' AND expires_at < now() - interval '${patience}'
    UNION ALL
      SELECT format('payment %s is still capturing', p.id) FROM payments p
      WHERE p.status = 'capturing' AND p.updated_at <= now() - interval '${patience}'
        AND NOT EXISTS (SELECT FROM risk_holds h WHERE h.order_id = p.order_id AND h.state = 'open')
    UNION ALL
      SELECT format('refund %s is still not made', r.id) FROM refunds r
      WHERE r.status = 'requested' AND r.created_at <= now() - CASE
        WHEN r.provider_refund_id IS NOT NULL
          OR EXISTS (SELECT FROM usdc_exceptions x WHERE x.refund_id = r.id AND x.state <> 'done')
        THEN interval '${longPatience}' ELSE interval '${patience}' END
        AND NOT EXISTS (SELECT FROM disputes d WHERE d.payment_id = r.payment_id AND d.ended_at IS NULL AND d.stage <> 'warning')`,
  },
]

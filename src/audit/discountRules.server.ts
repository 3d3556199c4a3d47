import type { Rule } from './rule.server.ts'

// Uses of discount codes, which hold at every moment.

export const DISCOUNT_RULES: Rule[] = [
  {
    name: 'DISCOUNT',
    scope: 'order',
    text: `SELECT format('order %s has %s cents of discount on its lines, and its codes took %s', o.id, coalesce(lines.cents, 0), coalesce(codes.cents, 0)) AS violation
      FROM orders o
      LEFT JOIN (SELECT order_id, sum(discount_cents) AS cents FROM order_lines GROUP BY order_id) lines ON lines.order_id = o.id
      LEFT JOIN (SELECT order_id, sum(amount_cents) AS cents FROM discount_uses GROUP BY order_id) codes ON codes.order_id = o.id
      WHERE coalesce(lines.cents, 0) <> coalesce(codes.cents, 0)
    UNION ALL
      SELECT format('the %s order %s %s its use of %s', o.status, o.id, CASE WHEN u.returned_at IS NULL THEN 'keeps' ELSE 'returned' END, u.code)
      FROM discount_uses u JOIN orders o ON o.id = u.order_id WHERE (u.returned_at IS NOT NULL) <> (o.status = 'failed')`,
  },
  {
    name: 'DISCOUNT',
    scope: 'discount',
    text: `SELECT format('code %s counts %s uses of %s, and orders have %s', d.id, d.uses, coalesce(d.most_uses::text, 'any'), count(u.order_id)) AS violation
      FROM discounts d LEFT JOIN discount_uses u ON u.discount_id = d.id AND u.returned_at IS NULL
      GROUP BY d.id, d.uses, d.most_uses HAVING d.uses <> count(u.order_id) OR d.uses > d.most_uses`,
  },
]

import type { Rule } from './rule.server.ts'

// Invoices number without gaps and are never credited twice.

export const INVOICE_RULES: Rule[] = [
  {
    name: 'INVOICES',
    scope: 'order',
    text: `SELECT format('no document has the number before %s', i.label) AS violation
      FROM invoices i WHERE i.number > 1 AND NOT EXISTS (
        SELECT FROM public.invoices b WHERE (b.kind, b.year, b.number) = (i.kind, i.year, i.number - 1))
    UNION ALL
      SELECT format('invoice %s of %s cents is credited %s cents', i.label, i.total_cents, sum(c.total_cents))
      FROM invoices i JOIN invoices c ON c.invoice_id = i.id
      GROUP BY i.id, i.label, i.total_cents HAVING sum(c.total_cents) > i.total_cents
    UNION ALL
      SELECT format('invoice %s of %s cents is for an order of %s cents', i.label, i.total_cents, o.total_cents)
      FROM invoices i JOIN orders o ON o.id = i.order_id WHERE i.kind = 'invoice' AND i.total_cents <> o.total_cents
    UNION ALL
      SELECT format('order %s has %s invoices that count', i.order_id, count(*))
      FROM invoices i WHERE i.kind = 'invoice' AND NOT EXISTS (
        SELECT FROM invoices c WHERE c.invoice_id = i.id AND c.refund_id IS NULL)
      GROUP BY i.order_id HAVING count(*) > 1`,
  },
  {
    name: 'INVOICES',
    scope: 'whole',
    text: `SELECT format('the last number of %s in %s is %s, and %s was given', s.kind, s.year, given.last, s.last_number) AS violation
      FROM invoice_series s CROSS JOIN LATERAL (
        SELECT coalesce(max(i.number), 0) AS last FROM invoices i WHERE i.kind = s.kind AND i.year = s.year) given
      WHERE given.last <> s.last_number`,
  },
]

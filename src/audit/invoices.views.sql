-- Faults of invoices: their numbers have no gaps, and none is credited twice.

CREATE OR REPLACE VIEW invoice_fault AS
SELECT 'INVOICES' AS rule, 'number_missing' AS code, i.order_id, jsonb_build_object('label', i.label) AS facts
FROM invoices i
WHERE i.number > 1 AND NOT EXISTS (SELECT FROM invoices b WHERE (b.kind, b.year, b.number) = (i.kind, i.year, i.number - 1))
UNION ALL
SELECT 'INVOICES', 'invoice_overcredited', i.order_id,
  jsonb_build_object('label', i.label, 'total', i.total_cents, 'credited', notes.cents)
FROM invoices i
CROSS JOIN LATERAL (SELECT sum(c.total_cents) AS cents FROM invoices c
  WHERE c.order_id = i.order_id AND c.invoice_id = i.id) notes
WHERE notes.cents > i.total_cents
UNION ALL
SELECT 'INVOICES', 'invoice_unlike_order', i.order_id,
  jsonb_build_object('label', i.label, 'total', i.total_cents, 'order', o.total_cents)
FROM invoices i JOIN orders o ON o.id = i.order_id WHERE i.kind = 'invoice' AND i.total_cents <> o.total_cents
UNION ALL
SELECT 'INVOICES', 'invoices_exceed_one', i.order_id, jsonb_build_object('count', count(*))
FROM invoices i
WHERE i.kind = 'invoice'
  AND NOT EXISTS (SELECT FROM invoices c WHERE c.invoice_id = i.id AND c.kind = 'credit_note' AND c.refund_id IS NULL)
GROUP BY i.order_id HAVING count(*) > 1;

CREATE OR REPLACE VIEW invoice_series_fault AS
SELECT 'INVOICES' AS rule, 'series_unlike_invoices' AS code,
  jsonb_build_object('kind', s.kind, 'year', s.year, 'last', given.last, 'given', s.last_number) AS facts
FROM invoice_series s
CROSS JOIN LATERAL (SELECT coalesce(max(i.number), 0) AS last FROM invoices i WHERE i.kind = s.kind AND i.year = s.year) given
WHERE given.last <> s.last_number;

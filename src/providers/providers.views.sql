-- Views of providers for rooms below.

-- USDC transfers and refunds that staff decide about or send. `about` is the kind.
CREATE OR REPLACE VIEW waiting_transfer AS
SELECT x.id, x.created_at AS since, NULL::timestamptz AS due_at, NULL::uuid AS owner_id,
  x.kind AS about, x.amount_cents AS cents
FROM usdc_exceptions x WHERE x.state = 'open';

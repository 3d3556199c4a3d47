-- What a code of the seller took off a line: the buyer paid price_cents * quantity - discount_cents.
ALTER TABLE order_lines ADD COLUMN discount_cents bigint NOT NULL DEFAULT 0;
ALTER TABLE order_lines ADD CONSTRAINT order_lines_discount CHECK (discount_cents BETWEEN 0 AND price_cents * quantity);

-- What the seller of a paid line earned: gross less fee. Refunds return a part of both. Money in cents.
CREATE TABLE earnings (
  order_line_id uuid PRIMARY KEY REFERENCES order_lines ON DELETE RESTRICT,
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  -- what the buyer paid for the line
  gross_cents bigint NOT NULL CHECK (gross_cents >= 0),
  fee_cents bigint NOT NULL DEFAULT 0,
  -- the parts of gross and fee that refunds returned
  returned_cents bigint NOT NULL DEFAULT 0,
  returned_fee_cents bigint NOT NULL DEFAULT 0,
  earned_at timestamptz NOT NULL DEFAULT now(),
  -- until then the money is pending
  available_at timestamptz NOT NULL DEFAULT now() + interval '7 days',
  CHECK (fee_cents BETWEEN 0 AND gross_cents),
  CHECK (returned_cents BETWEEN 0 AND gross_cents),
  CHECK (returned_fee_cents BETWEEN 0 AND fee_cents)
);
CREATE INDEX earnings_seller ON earnings (seller_id, earned_at DESC, order_line_id);
CREATE INDEX earnings_order ON earnings (order_id);

-- Orders from before this table: no fee was taken, and a refund returned each seller's part, as the ledger says.
WITH paid AS (
  SELECT l.id, l.order_id, l.seller_id, l.price_cents * l.quantity AS gross, o.completed_at,
    sum(l.price_cents * l.quantity) OVER sold AS sold_cents,
    sum(l.price_cents * l.quantity) OVER (sold ORDER BY l.position) AS until_cents
  FROM orders o JOIN order_lines l ON l.order_id = o.id
  WHERE o.status IN ('completed', 'refunded')
  WINDOW sold AS (PARTITION BY l.order_id, l.seller_id)),
returned AS (
  SELECT p.order_id, e.account, sum(e.amount_cents) AS cents
  FROM ledger_entries e JOIN payments p ON p.id = e.payment_id
  WHERE e.account LIKE 'seller:%' AND e.amount_cents > 0
  GROUP BY p.order_id, e.account)
INSERT INTO earnings (order_line_id, order_id, seller_id, gross_cents, returned_cents, earned_at, available_at)
SELECT paid.id, paid.order_id, seller_id, gross,
  coalesce(div(returned.cents * until_cents, sold_cents) - div(returned.cents * (until_cents - gross), sold_cents), 0),
  completed_at, completed_at + interval '7 days'
FROM paid LEFT JOIN returned ON returned.order_id = paid.order_id AND returned.account = 'seller:' || paid.seller_id;

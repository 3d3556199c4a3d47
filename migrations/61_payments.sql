-- What refunds took from sellers, and payouts, which move a seller's money without a payment. Money is in cents.

-- One row for each refund and seller of its order: the sales it took back, and the fee that came back with them.
CREATE TABLE earning_returns (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  gross_cents bigint NOT NULL,
  fee_cents bigint NOT NULL,
  returned_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX earning_returns_seller ON earning_returns (seller_id, returned_at);
CREATE INDEX earning_returns_order ON earning_returns (order_id);
CREATE TRIGGER earning_returns_append_only BEFORE UPDATE OR DELETE ON earning_returns FOR EACH ROW EXECUTE FUNCTION refuse_change();

INSERT INTO earning_returns (seller_id, order_id, gross_cents, fee_cents, returned_at)
SELECT u.id, p.order_id, l.amount_cents, 0, l.created_at
FROM ledger_entries l JOIN payments p ON p.id = l.payment_id JOIN users u ON l.account = 'seller:' || u.id
WHERE l.account LIKE 'seller:%' AND l.amount_cents > 0
ORDER BY l.id;

-- The former check allowed less, so no row can break this one.
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_names_payment;
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_names_payment CHECK (payment_id IS NOT NULL OR account LIKE 'credit:%'
  OR account LIKE 'promotion:%' OR account LIKE 'seller:%' OR account LIKE 'payouts%') NOT VALID;

-- Store credit: what the shop owes a customer, to be spent here and nowhere else. Cents.

-- The part of the total that store credit pays: taken when the order is placed, given back when it fails.
ALTER TABLE orders ADD COLUMN credit_cents bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT orders_credit CHECK (credit_cents BETWEEN 0 AND total_cents);

-- Credit moves without a payment when it is given, and when it is set aside for an order that has none yet.
ALTER TABLE ledger_entries ALTER COLUMN payment_id DROP NOT NULL,
  ADD CONSTRAINT ledger_names_payment CHECK (payment_id IS NOT NULL OR account LIKE 'credit:%' OR account LIKE 'promotion:%');

-- The row that everything which moves a customer's credit locks. The balance is the sum of the entries. Below zero it is a
-- debt: a bonus was spent before its order was refunded. A debt is never asked for; credit that comes later fills it first.
CREATE TABLE credit_accounts (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE RESTRICT,
  balance_cents bigint NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE credit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES credit_accounts ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('earned', 'spent', 'returned', 'refunded', 'taken_back', 'given')),
  amount_cents bigint NOT NULL CHECK (amount_cents <> 0 AND (amount_cents < 0) = (kind IN ('spent', 'taken_back'))),
  order_id uuid REFERENCES orders ON DELETE RESTRICT,
  -- what the staff gave it for
  why text CHECK (length(why) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((kind = 'given') = (order_id IS NULL)),
  CHECK ((kind = 'given') = (why IS NOT NULL))
);
CREATE INDEX credit_entries_user ON credit_entries (user_id, id DESC);
CREATE INDEX credit_entries_order ON credit_entries (order_id) WHERE order_id IS NOT NULL;
CREATE TRIGGER credit_entries_append_only BEFORE UPDATE OR DELETE ON credit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The first purchase of an account, whatever it earned: a second one finds it used, also after a refund. Whoever paid for
-- a bonus has had theirs, on whatever account.
CREATE TABLE credit_bonuses (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE RESTRICT,
  order_id uuid NOT NULL UNIQUE REFERENCES orders ON DELETE RESTRICT,
  payer text UNIQUE,
  amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
  taken_back_cents bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (taken_back_cents BETWEEN 0 AND amount_cents),
  CHECK (payer IS NULL OR amount_cents > 0)
);

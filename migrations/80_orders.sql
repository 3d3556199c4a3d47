-- Invoices and credit notes. A number is given under the lock of its row in `invoice_series`, in the transaction that inserts
-- the document, so a series has no gaps. What was issued never changes.

CREATE TABLE invoice_series (
  kind text PRIMARY KEY CHECK (kind IN ('invoice', 'credit_note')),
  year int NOT NULL,
  last_number int NOT NULL CHECK (last_number >= 0),
  -- when the last number was given: a later number is never older, whatever the clock does
  last_at timestamptz NOT NULL
);
INSERT INTO invoice_series VALUES ('invoice', 2000, 0, '2000-01-01Z'), ('credit_note', 2000, 0, '2000-01-01Z');

CREATE TABLE invoices (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('invoice', 'credit_note')),
  order_id uuid NOT NULL REFERENCES orders ON DELETE RESTRICT,
  year int NOT NULL,
  number int NOT NULL CHECK (number > 0),
  -- such as INV-2026-000123
  label text NOT NULL UNIQUE,
  -- of a credit note: its invoice, and the refund that it documents; without a refund it cancels the invoice
  invoice_id uuid REFERENCES invoices ON DELETE RESTRICT,
  refund_id uuid REFERENCES refunds ON DELETE RESTRICT,
  total_cents bigint NOT NULL CHECK (total_cents > 0),
  -- all that the document says
  data jsonb NOT NULL,
  issued_at timestamptz NOT NULL,
  UNIQUE (kind, year, number),
  UNIQUE (refund_id),
  CHECK ((kind = 'credit_note') = (invoice_id IS NOT NULL)),
  CHECK (kind = 'credit_note' OR refund_id IS NULL)
);
CREATE INDEX invoices_order ON invoices (order_id, issued_at);
CREATE UNIQUE INDEX invoices_canceled_once ON invoices (invoice_id) WHERE kind = 'credit_note' AND refund_id IS NULL;
CREATE TRIGGER invoices_append_only BEFORE UPDATE OR DELETE ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What a buyer wants on the next invoice.
CREATE TABLE invoice_details (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  company text NOT NULL DEFAULT '' CHECK (length(company) <= 120),
  address text NOT NULL DEFAULT '' CHECK (length(address) <= 300),
  vat_id text NOT NULL DEFAULT '' CHECK (length(vat_id) <= 20),
  -- receipts by mail come with the invoice
  is_attached boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- What buyers receive: entitlements, codes, and downloads.

-- The right to what a line of a completed order paid for.
CREATE TABLE entitlements (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_line_id uuid NOT NULL UNIQUE REFERENCES order_lines ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  file_id uuid REFERENCES product_files ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
CREATE INDEX entitlements_user ON entitlements (user_id, created_at DESC);

-- Codes for sale, sealed under SECRET. The fingerprint, a keyed hash, keeps one code from being sold twice.
CREATE TABLE codes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  ciphertext bytea NOT NULL,
  fingerprint text NOT NULL,
  -- void: refunded, and never sold again because the buyer may have seen it
  state text NOT NULL DEFAULT 'free' CHECK (state IN ('free', 'held', 'sold', 'void')),
  payment_id uuid REFERENCES payments ON DELETE RESTRICT,
  order_line_id uuid REFERENCES order_lines ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (product_id, fingerprint),
  CHECK (state NOT IN ('held', 'sold') OR (payment_id IS NOT NULL AND order_line_id IS NOT NULL)),
  CHECK (state <> 'free' OR (payment_id IS NULL AND order_line_id IS NULL))
);
CREATE INDEX codes_free ON codes (product_id, id) WHERE state = 'free';
CREATE INDEX codes_line ON codes (order_line_id) WHERE order_line_id IS NOT NULL;
CREATE INDEX codes_payment ON codes (payment_id) WHERE state = 'held';

-- Lets one buyer fetch one file for a limited time. Counted once a day per entitlement.
CREATE TABLE download_grants (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  entitlement_id uuid NOT NULL REFERENCES entitlements ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  start_by timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  started_at timestamptz
);
CREATE INDEX download_grants_entitlement ON download_grants (entitlement_id, created_at DESC);

-- Who revealed which code or downloaded which file.
CREATE TABLE delivery_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entitlement_id uuid NOT NULL REFERENCES entitlements ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('download', 'reveal')),
  ip_address text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX delivery_events_entitlement ON delivery_events (entitlement_id, created_at DESC);

-- Erasing an account may clear the address of its events; any other change is refused.
CREATE FUNCTION refuse_change_but_forgetting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.ip_address IS NULL AND to_jsonb(NEW) - 'ip_address' = to_jsonb(OLD) - 'ip_address' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER delivery_events_append_only BEFORE UPDATE OR DELETE ON delivery_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change_but_forgetting();

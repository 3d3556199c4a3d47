-- What a seller is told about sales: each event at once, a digest of the day, or nothing.
CREATE TABLE seller_wishes (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  sales text NOT NULL CHECK (sales IN ('each', 'daily', 'off')),
  refunds text NOT NULL CHECK (refunds IN ('each', 'daily', 'off')),
  reviews text NOT NULL CHECK (reviews IN ('each', 'daily', 'off')),
  stock text NOT NULL CHECK (stock IN ('each', 'daily', 'off')),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- What the next digest of a seller counts. A job mails a day that is over and deletes its row in one transaction.
CREATE TABLE seller_digests (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  day date NOT NULL,
  sales int NOT NULL DEFAULT 0,
  sold_cents bigint NOT NULL DEFAULT 0,
  refunds int NOT NULL DEFAULT 0,
  refunded_cents bigint NOT NULL DEFAULT 0,
  reviews int NOT NULL DEFAULT 0,
  low int NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, day)
);
CREATE INDEX seller_digests_day ON seller_digests (day);

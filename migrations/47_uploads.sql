-- An unused upload of an unfinished product stays until this time.
ALTER TABLE objects ADD COLUMN kept_until timestamptz, ADD COLUMN kept_for uuid;

-- Room: catalogue
-- Products that members began in Add Product and did not create yet.
CREATE TABLE unfinished_products (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  entered jsonb NOT NULL CHECK (jsonb_typeof(entered) = 'object'),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX unfinished_products_user ON unfinished_products (user_id, updated_at DESC);

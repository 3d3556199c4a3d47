-- A removed device keeps its place while a licence file of it works.
ALTER TABLE license_devices ADD COLUMN removed_at timestamptz;

-- Terms that a seller has replaced. An order gets those of the moment when it was placed.
CREATE TABLE former_license_terms (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  prefix text NOT NULL,
  devices_per_seat int NOT NULL,
  valid_days int,
  ended_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX former_license_terms_product ON former_license_terms (product_id, ended_at);

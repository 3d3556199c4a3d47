-- The method with which a member paid last or chose as the default: offered first next time.
CREATE TABLE method_choices (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  provider text NOT NULL,
  -- the saved method; null is the provider's own way
  wallet_id uuid REFERENCES wallets ON DELETE RESTRICT,
  chosen_at timestamptz NOT NULL DEFAULT now()
);

-- When the provider confirmed that an ended payment can no longer take money.
ALTER TABLE payments ADD COLUMN closed_at timestamptz;

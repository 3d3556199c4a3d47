-- The buyer may correct the address of a USDC refund until the money is sent. Each address waits, so that the owner can object.

ALTER TABLE usdc_exceptions
  ADD COLUMN address_waits_until timestamptz,
  -- staff may have sent the money to one of them just before the buyer changed it
  ADD COLUMN former_addresses text[] NOT NULL DEFAULT '{}';

-- Ended payments that their provider may still take money for.
CREATE INDEX payments_to_close ON payments (provider, updated_at)
  WHERE status IN ('canceled', 'expired', 'failed') AND closed_at IS NULL AND provider_order_id IS NOT NULL;
